import { expect, test } from 'vitest'
import { createSigner } from '../../src/text/signed-text.ts'

const { sign, open } = createSigner('a key')

test('a signed value can be read again, and fits into a header', () => {
  const value = { caller: 'client ä', list: [1, null, '\n'] }
  const text = sign('connection', value)
  expect(text).toMatch(/^[\w.-]+$/)
  expect(open('connection', text)).toEqual(value)
})

test('another purpose, key, value or signature is rejected', () => {
  const text = sign('connection', { caller: 'operator' })
  const [body = '', mark = ''] = text.split('.')
  const [other = ''] = sign('connection', { caller: 'client a' }).split('.')
  expect(open('call', text)).toBeUndefined()
  expect(createSigner('another key').open('connection', text)).toBeUndefined()
  for (const forged of [
    '',
    '.',
    body,
    `${other}.${mark}`,
    `${body}.`,
    `${body}.${'A'.repeat(43)}`,
    ` ${text}`,
  ])
    expect(open('connection', forged)).toBeUndefined()
})
