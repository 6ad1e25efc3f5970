import { expect, test } from 'vitest'
import { lineOf } from '../../../src/child/lines/message-line.ts'

test('a message is one line for every reader, whatever is in it', () => {
  const message = { text: 'a\nb\u2028c\u2029d\r', more: ['\u2028'] }
  const line = lineOf(message)
  expect(line.split(/[\n\r\u2028\u2029]/)).toEqual([line.slice(0, -1), ''])
  expect(JSON.parse(line)).toEqual(message)
})
