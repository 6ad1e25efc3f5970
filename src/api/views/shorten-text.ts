/** A value without its long texts, and never longer than `inAll`, however many it has; and whether anything was left out. Pure. */
export function shortened(
  value: Readonly<Record<string, unknown>>,
  most = MOST_CHARACTERS,
  inAll = most * TEXTS_IN_ALL,
): { value: Record<string, unknown>; cut: boolean } {
  let cut = false
  let left = inAll
  const text = (one: string): string => {
    const short = shortText(one, Math.max(LEAST, Math.min(most, left)))
    if (short !== one) cut = true
    left -= short.length + PUNCTUATION
    return short
  }
  const short = (one: unknown): unknown => {
    if (typeof one === 'string') return text(one)
    left -= PUNCTUATION
    if (Array.isArray(one)) return items(one)
    return typeof one === 'object' && one !== null ? fields(one) : one
  }
  /** How many of the rest are not shown, once that is so. */
  const hidden = (all: number, at: number, fits: number): number | undefined => {
    if (at < fits && left > 0) return undefined
    cut = true
    return all - at
  }
  const items = (all: readonly unknown[]): unknown[] => {
    const kept: unknown[] = []
    for (const [at, one] of all.entries()) {
      const more = hidden(all.length, at, MOST_ITEMS)
      if (more !== undefined) return [...kept, `[… ${more} more …]`]
      kept.push(short(one))
    }
    return kept
  }
  const fields = (all: object): Record<string, unknown> => {
    const kept: [string, unknown][] = []
    for (const [at, [key, inner]] of Object.entries(all).entries()) {
      const more = hidden(Object.keys(all).length, at, MOST_FIELDS)
      if (more !== undefined) return Object.fromEntries([...kept, [`[… ${more} more …]`, null]])
      // Two long names may look alike when they are cut.
      kept.push([
        key.length > MOST_KEY ? `${text(key.slice(0, MOST_KEY))}… (${at + 1})` : text(key),
        short(inner),
      ])
      if (key.length > MOST_KEY) cut = true
    }
    return Object.fromEntries(kept)
  }
  return { value: fields(value), cut }
}

/** Texts in a row, as long as they fit into so many characters together. Pure. */
export function shortTexts(texts: readonly string[], most: number, inAll: number): string[] {
  const { value } = shortened({ texts }, most, inAll)
  return Array.isArray(value['texts']) ? value['texts'].map(String) : []
}

/** Head and tail, and how much lies between them: what is hidden is told to be. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text
  const head = wholeCharacters(text.slice(0, Math.ceil(most * 0.75)))
  const tail = wholeCharacters(text.slice(text.length - Math.floor(most * 0.25)))
  return `${head}\n[… ${text.length - head.length - tail.length} characters are not shown …]\n${tail}`
}

/** A cut between the two halves of a character would leave half of it. */
export function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '')
}

const MOST_CHARACTERS = 1_200
/** So many texts of full length fit. */
const TEXTS_IN_ALL = 5
/** A text is not cut to less than that: how much is hidden takes as long to say. */
const LEAST = 40
const MOST_ITEMS = 50
const MOST_FIELDS = 100
const MOST_KEY = 200
/** What a value takes besides its text. */
const PUNCTUATION = 4
