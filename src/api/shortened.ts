/** A value without its long texts, and whether anything was left out. Pure. */
export function shortened(
  value: Readonly<Record<string, unknown>>,
  most = MOST_CHARACTERS,
): { value: Record<string, unknown>; cut: boolean } {
  let cut = false
  const short = (one: unknown): unknown => {
    if (typeof one === 'string') {
      const text = shortText(one, most)
      if (text !== one) cut = true
      return text
    }
    if (Array.isArray(one)) {
      if (one.length > MOST_ITEMS) cut = true
      const left = one.length - MOST_ITEMS
      const kept = one.slice(0, MOST_ITEMS).map(short)
      return left > 0 ? [...kept, `[… ${left} more …]`] : kept
    }
    return typeof one === 'object' && one !== null ? shortFields(one) : one
  }
  const shortFields = (one: object): Record<string, unknown> =>
    Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, short(inner)]))
  return { value: shortFields(value), cut }
}

/** Head and tail, and how much lies between them: what is hidden is told to be. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text
  const head = wholeCharacters(text.slice(0, Math.ceil(most * 0.75)))
  const tail = wholeCharacters(text.slice(text.length - Math.floor(most * 0.25)))
  return `${head}\n[… ${text.length - head.length - tail.length} characters are not shown …]\n${tail}`
}

/** A cut between the two halves of a character would leave half of it. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '')
}

const MOST_CHARACTERS = 1_200
const MOST_ITEMS = 50
