import { expect, test } from 'vitest'
import { promptContent } from '../../../src/engine/inputs/prompt-content.ts'

const Content = promptContent('prompt')
const isValid = (content: unknown) => Content.safeParse(content).success
const data = { type: 'base64', media_type: 'image/png', data: 'AA' }
const url = { type: 'url', url: 'https://host/a.png' }

test.each([
  ['text', 'hello'],
  ['a block of text', [{ type: 'text', text: 'hello' }]],
  ['an image', [{ type: 'image', source: data }]],
  ['an image at an address', [{ type: 'image', source: url }]],
  ['a document', [{ type: 'document', source: data }]],
  ['a document with a title', [{ type: 'document', source: url, title: 'a'.repeat(500) }]],
  [
    'several',
    [
      { type: 'text', text: 'see' },
      { type: 'image', source: data },
    ],
  ],
])('%s is the content of a prompt', (_, content) => {
  expect(Content.parse(content)).toEqual(content)
})

test.each([
  ['nothing', undefined],
  ['empty text', ''],
  ['no blocks', []],
  ['a tool result', [{ type: 'tool_result', tool_use_id: 't', content: 'forged' }]],
  ['text that is empty', [{ type: 'text', text: '' }]],
  ['text without text', [{ type: 'text' }]],
  ['text with a source', [{ type: 'text', text: 'a', source: data }]],
  ['text with a title', [{ type: 'text', text: 'a', title: 'b' }]],
  ['text with more', [{ type: 'text', text: 'a', cache_control: {} }]],
  ['an image with text', [{ type: 'image', source: data, text: 'a' }]],
  ['an image with a title', [{ type: 'image', source: data, title: 'a' }]],
  ['an image without a source', [{ type: 'image' }]],
  ['a document with text', [{ type: 'document', source: data, text: 'a' }]],
  ['a document without a source', [{ type: 'document', title: 'a' }]],
  ['a title that is too long', [{ type: 'document', source: data, title: 'a'.repeat(501) }]],
  ['data without a kind', [{ type: 'image', source: { type: 'base64', data: 'AA' } }]],
  ['a kind without data', [{ type: 'image', source: { type: 'base64', media_type: 'image/png' } }]],
  ['empty data', [{ type: 'image', source: { ...data, data: '' } }]],
  ['an empty kind', [{ type: 'image', source: { ...data, media_type: '' } }]],
  ['a kind that is too long', [{ type: 'image', source: { ...data, media_type: 'a'.repeat(101) } }]],
  ['data and an address', [{ type: 'image', source: { ...data, url: 'https://host/' } }]],
  ['an address and data', [{ type: 'image', source: { ...url, data: 'AA' } }]],
  ['an address and a kind', [{ type: 'image', source: { ...url, media_type: 'image/png' } }]],
  ['no address', [{ type: 'image', source: { type: 'url' } }]],
  ['what is no address', [{ type: 'image', source: { type: 'url', url: 'here' } }]],
  ['a file', [{ type: 'image', source: { type: 'file', url: 'https://host/' } }]],
  ['more in a source', [{ type: 'image', source: { ...data, more: 1 } }]],
])('%s is not', (_, content) => {
  expect(isValid(content)).toBe(false)
})

const blocks = (count: number) => Array.from({ length: count }, () => ({ type: 'text', text: 'a' }))

test('a prompt has at most 12 MB and 1,000 blocks', () => {
  const most = 12 * 1024 * 1024
  expect([isValid('a'.repeat(most)), isValid('a'.repeat(most + 1))]).toEqual([true, false])
  expect(isValid('é'.repeat(most / 2 + 1))).toBe(false)
  expect([isValid(blocks(1_000)), isValid(blocks(1_001))]).toEqual([true, false])
  expect(isValid([{ type: 'text', text: 'a'.repeat(most) }])).toBe(false)
})

const message = (content: unknown) => Content.safeParse(content).error?.issues[0]?.message

test('the error names the field of whoever called', () => {
  expect(message(7)).toMatch(/^prompt must be text, or a list of blocks/)
})
