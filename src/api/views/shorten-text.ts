/** Shortens every text in a value to `most` characters, and the whole value to about `inAll`. `cut` is true if anything was omitted. */
export function shortenValue(
  value: Readonly<Record<string, unknown>>,
  most = MAX_CHARACTERS,
  inAll = most * TEXTS_IN_ALL,
): { value: Record<string, unknown>; cut: boolean } {
  let cut = false
  let left = inAll
  const shortenOne = (text: string): string => {
    const short = shortenText(text, Math.max(MIN_CHARACTERS, Math.min(most, left)))
    if (short !== text) cut = true
    left -= short.length + PUNCTUATION
    return short
  }
  const shorten = (inner: unknown): unknown => {
    if (typeof inner === 'string') return shortenOne(inner)
    left -= PUNCTUATION
    if (Array.isArray(inner)) return items(inner)
    return typeof inner === 'object' && inner !== null ? fields(inner) : inner
  }
  /** The number of entries to omit from `index` on; undefined while there is room. */
  const omittedFrom = (index: number, all: number, max: number): number | undefined => {
    if (index < max && left > 0) return undefined
    cut = true
    return all - index
  }
  const items = (all: readonly unknown[]): unknown[] => {
    const kept: unknown[] = []
    for (const [index, item] of all.entries()) {
      const more = omittedFrom(index, all.length, MAX_ITEMS)
      if (more !== undefined) return [...kept, `[… ${more} more …]`]
      kept.push(shorten(item))
    }
    return kept
  }
  const fields = (all: object): Record<string, unknown> => {
    const kept: [string, unknown][] = []
    for (const [index, [key, inner]] of Object.entries(all).entries()) {
      const more = omittedFrom(index, Object.keys(all).length, MAX_FIELDS)
      if (more !== undefined) return Object.fromEntries([...kept, [`[… ${more} more …]`, null]])
      // The number keeps two long keys apart that are equal once they are cut.
      kept.push([
        key.length > MAX_KEY ? `${shortenOne(key.slice(0, MAX_KEY))}… (${index + 1})` : shortenOne(key),
        shorten(inner),
      ])
      if (key.length > MAX_KEY) cut = true
    }
    return Object.fromEntries(kept)
  }
  return { value: fields(value), cut }
}

/** The same for a list of texts. */
export function shortenTexts(texts: readonly string[], most: number, inAll: number): string[] {
  const { value } = shortenValue({ texts }, most, inAll)
  return Array.isArray(value['texts']) ? value['texts'].map(String) : []
}

/** Keeps the beginning and the end of a text, and says how many characters are omitted between them. */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text
  const head = wholeCharacters(text.slice(0, Math.ceil(most * 0.75)))
  const tail = wholeCharacters(text.slice(text.length - Math.floor(most * 0.25)))
  return `${head}\n[… ${text.length - head.length - tail.length} characters are not shown …]\n${tail}`
}

/** Removes half of a surrogate pair at either end of a cut text. */
export function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '')
}

const MAX_CHARACTERS = 1_200
/** This many texts of full length fit. */
const TEXTS_IN_ALL = 5
/** The note about omitted characters is as long as this, so shorter texts are not worth cutting. */
const MIN_CHARACTERS = 40
const MAX_ITEMS = 50
const MAX_FIELDS = 100
const MAX_KEY = 200
/** The JSON characters of a value besides its text. */
const PUNCTUATION = 4
