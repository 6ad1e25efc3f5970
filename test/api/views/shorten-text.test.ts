import { assert, dictionary, integer, jsonValue, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { shortenValue, shortenText, shortenTexts } from '../../../src/api/views/shorten-text.ts'
import { codePoint } from '../../rig/tools/code-point.ts'

/** Without half a character. */
const isWhole = (text: string) => !/\p{Cs}/u.test(text)

test('a text that fits is unchanged, a longer text says how much is omitted', () => {
  expect(shortenText('abc', 3)).toBe('abc')
  const text = shortenText('x'.repeat(10_000), 1_000)
  expect(text).toContain('[… 9000 characters are not shown …]')
  expect(text.length).toBeLessThan(1_100)
})

test('head and tail are the text, what is counted is the rest, and no character is cut in two', () => {
  const texts = string({ unit: codePoint, minLength: 30, maxLength: 200 })
  assert(
    property(texts, integer({ min: 1, max: 29 }), (text, most) => {
      const short = shortenText(text, most)
      const [, head = '', hidden, tail = ''] =
        /^([^]*)\n\[… (\d+) characters are not shown …\]\n([^]*)$/.exec(short) ?? []
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
      expect(head.length + Number(hidden) + tail.length).toBe(text.length)
      expect(isWhole(short) || !isWhole(text)).toBe(true)
    }),
  )
})

test('every long text in an input is cut, wherever it is, and `cut` is true', () => {
  const long = 'x'.repeat(5_000)
  const { value, cut } = shortenValue({ a: long, b: [{ c: long }], d: 1, e: null, f: 'short' })
  expect(cut).toBe(true)
  expect(JSON.stringify(value).length).toBeLessThan(4_000)
  expect(value).toMatchObject({ d: 1, e: null, f: 'short' })
})

test('an input without long texts comes back as it is', () => {
  assert(
    property(dictionary(string(), jsonValue({ maxDepth: 2 })), (input) => {
      const { value, cut } = shortenValue(input)
      expect(cut).toBe(false)
      expect(value).toEqual(input)
    }),
  )
})

test.each<[string, Record<string, unknown>]>([
  [
    'many fields',
    Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field ${n}`, 'x'.repeat(90)])),
  ],
  ['many lists', { a: Array.from({ length: 40 }, () => Array.from({ length: 40 }, () => 'x'.repeat(90))) }],
  ['long names', Object.fromEntries(Array.from({ length: 20 }, (_, n) => ['n'.repeat(90_000) + n, n]))],
  ['deep lists', { a: JSON.parse(`${'['.repeat(3_000)}1${']'.repeat(3_000)}`) as unknown }],
  ['many numbers', { a: Array.from({ length: 49 }, () => Array.from({ length: 49 }, () => [1, 2, 3])) }],
])('an input of %s is shortened too, and says what is omitted', (_, input) => {
  const { value, cut } = shortenValue(input)
  expect(cut).toBe(true)
  expect(JSON.stringify(value).length).toBeLessThan(12_000)
  expect(JSON.stringify(value)).toMatch(/more …|\(20\)/)
})

test('a list of texts is shortened to what fits', () => {
  expect(shortenTexts(['a', 'b'], 10, 100)).toEqual(['a', 'b'])
  expect(
    shortenTexts(
      Array.from({ length: 30 }, () => 'x'.repeat(50)),
      100,
      200,
    ),
  ).toEqual([...Array.from({ length: 4 }, () => expect.stringContaining('xxx') as string), '[… 26 more …]'])
})
