/** What the keys of every page have led to so far. */
export interface PageKeys {
  /** `g` was pressed: the next letter names a page. */
  readonly isGoing: boolean
  /** The keys are shown. */
  readonly isHelp: boolean
}

export const NO_KEYS: PageKeys = { isGoing: false, isHelp: false }

export interface PageKeyResult {
  readonly keys: PageKeys
  /** The page does not see this key: no letter that is for another page may answer a question. */
  readonly isTaken: boolean
  readonly go?: string
}

const PAGES: Readonly<Record<string, string>> = { i: '#/', s: '#/sessions', n: '#/notices' }

/** A key that is not for a text. Pure. */
export function pressPageKey(keys: PageKeys, key: string): PageKeyResult {
  if (keys.isHelp) {
    const isClosed = key === '?' || key === 'Escape'
    // Tab and Enter reach the button that closes it.
    return { keys: isClosed ? NO_KEYS : keys, isTaken: isClosed || key.length === 1 }
  }
  if (keys.isGoing) {
    if (key.length > 1 && key !== 'Escape') return { keys, isTaken: false } // Shift
    const go = PAGES[key]
    return { keys: NO_KEYS, isTaken: true, ...(go === undefined ? {} : { go }) }
  }
  if (key === 'g') return { keys: { isGoing: true, isHelp: false }, isTaken: true }
  if (key === '?') return { keys: { isGoing: false, isHelp: true }, isTaken: true }
  return { keys, isTaken: false }
}
