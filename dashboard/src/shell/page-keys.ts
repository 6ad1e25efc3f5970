/** What the keys of every page have led to so far. */
export interface PageKeys {
  /** When `g` was pressed, in ms: for a moment the next letter names a page. */
  readonly goingSince?: number | undefined
  /** The keys are shown. */
  readonly isHelp: boolean
}

export const NO_KEYS: PageKeys = { isHelp: false }

/** So long `g` waits for its second letter. */
export const GOING_MS = 1_000

export interface PageKeyResult {
  readonly keys: PageKeys
  /** The page does not see this key: no letter that is for another page may answer a question. */
  readonly isTaken: boolean
  readonly go?: string
}

const PAGES: Readonly<Record<string, string>> = { i: '#/', s: '#/sessions', n: '#/notices' }

/** A key that is not for a text, pressed at `now`. Pure. */
export function pressPageKey(before: PageKeys, key: string, now: number): PageKeyResult {
  const isOver = before.goingSince !== undefined && now - before.goingSince >= GOING_MS
  const keys = isOver ? NO_KEYS : before
  if (keys.isHelp) {
    const isClosed = key === '?' || key === 'Escape'
    // Tab and Enter reach the button that closes it.
    return { keys: isClosed ? NO_KEYS : keys, isTaken: isClosed || key.length === 1 }
  }
  if (keys.goingSince !== undefined) {
    if (key.length > 1 && key !== 'Escape') return { keys, isTaken: false } // Shift
    const go = PAGES[key]
    return { keys: NO_KEYS, isTaken: true, ...(go === undefined ? {} : { go }) }
  }
  if (key === 'g') return { keys: { goingSince: now, isHelp: false }, isTaken: true }
  if (key === '?') return { keys: { isHelp: true }, isTaken: true }
  return { keys, isTaken: false }
}
