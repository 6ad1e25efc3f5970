interface Most {
  /** Of each text. */
  readonly characters?: number
  /** Of each list; fields of each object. */
  readonly items?: number
}

/** A value without its long texts, and whether anything was left out. Pure. */
export function shortened(
  value: object,
  { characters = MOST_CHARACTERS, items = MOST_ITEMS }: Most = {},
): { value: Record<string, unknown>; cut: boolean } {
  let cut = false
  const first = <T>(all: readonly T[]): readonly T[] => {
    if (all.length > items) cut = true
    return all.slice(0, items)
  }
  const more = (all: readonly unknown[]): string[] =>
    all.length > items ? [`[… ${all.length - items} more …]`] : []
  const short = (one: unknown): unknown => {
    if (typeof one === 'string') {
      const text = shortText(one, characters)
      if (text !== one) cut = true
      return text
    }
    if (Array.isArray(one)) return [...first(one).map(short), ...more(one)]
    return typeof one === 'object' && one !== null ? shortFields(one) : one
  }
  const shortFields = (one: object): Record<string, unknown> => {
    const all = Object.entries(one)
    const kept = first(all).map(([key, inner]) => [key, short(inner)] as const)
    return Object.fromEntries([...kept, ...more(all).map((told) => ['…', told] as const)])
  }
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
