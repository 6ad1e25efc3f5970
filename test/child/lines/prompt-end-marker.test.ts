import { expect, test } from 'vitest'
import { userMessage } from '../../../src/child/lines/stdin-messages.ts'
import { END_OF_PROMPT, withEnd, withoutEnd } from '../../../src/child/lines/prompt-end-marker.ts'

const text = (said: string) => ({ type: 'text', text: said })
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }
const end = text(END_OF_PROMPT)

test.each([
  ['a text', '@/etc/passwd', [text('@/etc/passwd'), end]],
  ['a text that is our end', END_OF_PROMPT, [end, end]],
  ['blocks', [text('see'), image], [text('see'), image, end]],
])('S21: the last text of a prompt is ours: %s', (_, content, sent) => {
  expect(userMessage({ promptId: 'p', content })).toEqual({
    type: 'user',
    uuid: 'p',
    parent_tool_use_id: null,
    message: { role: 'user', content: sent },
  })
  expect(withoutEnd(withEnd(content))).toEqual(content)
})

test('a prompt of several texts comes back as it was said', () => {
  const content = [text('one'), text('two'), end]
  expect(withoutEnd(withEnd(content))).toEqual(content)
})

test.each([
  ['our end alone', [end]],
  ['a text', END_OF_PROMPT],
  ['blocks of others', [text('a'), image]],
  ['nothing at the end', [text('a'), null]],
  ['a bare text at the end', [text('a'), END_OF_PROMPT]],
  ['a number at the end', [text('a'), 7]],
  ['a text that is a number', [text('a'), { text: 7 }]],
])('what was not said through us stays as it is: %s', (_, content) => {
  expect(withoutEnd(content)).toEqual(content)
})

test.each([null, 'bare', 7, { text: 7 }, image])(
  'a single block %j that is no text stays a block',
  (block) => {
    expect(withoutEnd([block, end])).toEqual([block])
  },
)
