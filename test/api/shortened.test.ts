import { assert, dictionary, integer, jsonValue, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { shortened, shortText } from '../../src/api/shortened.ts'

/** Without half a character. */
const isWhole = (text: string) => !/\p{Cs}/u.test(text)

test('a text that fits stays as it is, one that does not says how much is hidden', () => {
  expect(shortText('abc', 3)).toBe('abc')
  const text = shortText('x'.repeat(10_000), 1_000)
  expect(text).toContain('[… 9000 characters are not shown …]')
  expect(text.length).toBeLessThan(1_100)
})

test('head and tail are the text, what is counted is the rest, and no character is cut in two', () => {
  const texts = string({ unit: 'binary', minLength: 30, maxLength: 200 })
  assert(
    property(texts, integer({ min: 1, max: 29 }), (text, most) => {
      const short = shortText(text, most)
      const [, head = '', hidden, tail = ''] =
        /^([^]*)\n\[… (\d+) characters are not shown …\]\n([^]*)$/.exec(short) ?? []
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
      expect(head.length + Number(hidden) + tail.length).toBe(text.length)
      expect(isWhole(short) || !isWhole(text)).toBe(true)
    }),
  )
})

test('every long text in an input is cut, wherever it is, and that is told', () => {
  const long = 'x'.repeat(5_000)
  const { value, cut } = shortened({ a: long, b: [{ c: long }], d: 1, e: null, f: 'short' })
  expect(cut).toBe(true)
  expect(JSON.stringify(value).length).toBeLessThan(4_000)
  expect(value).toMatchObject({ d: 1, e: null, f: 'short' })
})

test('of many things the first are told, and how many there are besides', () => {
  const many = Array.from({ length: 60 }, (_, at) => at)
  const fields = Object.fromEntries(many.map((at) => [`f${at}`, at]))
  const { value, cut } = shortened({ many, fields })
  expect(cut).toBe(true)
  expect(value['many']).toEqual([...many.slice(0, 50), '[… 10 more …]'])
  expect(value['fields']).toMatchObject({ f49: 49, '…': '[… 10 more …]' })
  expect(value['fields']).not.toHaveProperty('f50')
})

test('an input without long texts comes back as it is', () => {
  assert(
    property(dictionary(string(), jsonValue({ maxDepth: 2 })), (input) => {
      const { value, cut } = shortened(input)
      expect(cut).toBe(false)
      expect(value).toEqual(input)
    }),
  )
})
