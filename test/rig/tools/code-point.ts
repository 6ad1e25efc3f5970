import * as fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * Every character but half ones, as the unit of a text: `fc.string({ unit: codePoint })`. It is `unit: 'binary'` of fast-check
 * without its table of a million characters, which takes a second to fill, and as much again in each later collection of garbage.
 */
export const codePoint = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count),
  // By this fast-check knows that texts such as `__proto__` can be made of them, and tries those too.
  (character) => {
    const point = typeof character === 'string' ? character.codePointAt(0) : undefined
    if (point === undefined || String.fromCodePoint(point) !== character)
      throw new Error('That is no character.')
    if (point < SURROGATES.first) return point
    if (point < SURROGATES.first + SURROGATES.count) throw new Error('That is half a character.')
    return point - SURROGATES.count
  },
)
