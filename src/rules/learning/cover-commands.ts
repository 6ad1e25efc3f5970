import { isPlainWord, literalWords } from './word-pattern.ts'

/** Commands of the same shape so far: what stands at each place from the start, and what may differ. */
export interface Cover {
  /** For each place the words that stood there; a place in which too much differed ends the list. */
  readonly places: readonly (readonly string[])[]
  /** Anything may follow these places. */
  readonly open: boolean
}

/** Undefined if a word cannot be said by a pattern. */
export function coverOf(words: readonly (string | undefined)[]): Cover | undefined {
  const said = literalWords(words)
  return said && { places: said.map((word) => [word]), open: false }
}

/**
 * The narrowest cover of two: a place where few names differ has them as alternatives; from the first place on where texts,
 * values or options differ, anything may follow. Pure.
 */
export function coverBoth(a: Cover, b: Cover): Cover {
  const places: (readonly string[])[] = []
  const shorter = Math.min(a.places.length, b.places.length)
  for (let index = 0; index < shorter; index += 1) {
    const words = [...new Set([...(a.places[index] ?? []), ...(b.places[index] ?? [])])]
    if (words.length > 1 && !(words.length <= MAX_ALTERNATIVES && words.every(isPlainWord)))
      return { places, open: true }
    places.push(words)
  }
  return { places, open: a.open || b.open || a.places.length !== b.places.length }
}

/** As a rule writes it, such as `npm run build|test *`. */
export function patternOf({ places, open }: Cover): string {
  return [...places.map((words) => words.toSorted().join('|')), ...(open ? ['*'] : [])].join(' ')
}

const MAX_ALTERNATIVES = 5
