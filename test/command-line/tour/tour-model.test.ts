import { expect, test } from 'vitest'
import { TOUR_SCENARIO } from '../../../src/command-line/tour/tour-model.ts'
import { STEPS } from '../../../src/command-line/tour/tour-script.ts'
import { RequestBody, toolResultsIn } from '../../../src/demo/model-request.ts'
import type { Block, Message, Reply } from '../../../src/demo/scenario.ts'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = { role: 'assistant', content: 'something' }
const result = (text: string, isError = false) =>
  user([{ type: 'tool_result', tool_use_id: 't', content: text, is_error: isError }])

function replyTo(...messages: object[]): Reply {
  const body = RequestBody.parse({ messages })
  if (typeof TOUR_SCENARIO.main !== 'function') throw new Error('The tour answers by the conversation.')
  return TOUR_SCENARIO.main({
    kind: 'main',
    method: 'POST',
    path: '/v1/messages',
    body,
    bytes: 0,
    lastUserText: '',
    toolResults: toolResultsIn(body),
    aborted: false,
  })
}
const blocks = (reply: Reply): Block[] => (reply as Message).blocks
const [command, edit, question, plan] = STEPS.map(({ prompt }) => prompt)

test('the model does what the last prompt says, call by call', () => {
  const before = [user(command), assistant, result('ok'), assistant]
  expect(blocks(replyTo(...before, user(edit)))).toMatchObject([{ type: 'text' }, { name: 'Read' }])
  expect(blocks(replyTo(...before, user(edit), assistant, result('text')))).toMatchObject([{ name: 'Edit' }])
  expect(blocks(replyTo(...before, user(edit), assistant, result('x'), assistant, result('done')))).toEqual([
    { type: 'text', text: 'It listens on port 8080 now.' },
  ])
})

test('after a no it leaves it, and a choice is repeated', () => {
  expect(blocks(replyTo(user(command), assistant, result('no', true)))).toEqual([
    { type: 'text', text: 'Then I leave it.' },
  ])
  const chosen = 'Your questions have been answered: "Which database?"="Postgres". You can now continue.'
  expect(blocks(replyTo(user(question), assistant, result(chosen)))).toEqual([
    { type: 'text', text: 'You chose Postgres.' },
  ])
})

test('the plan is written where the CLI says', () => {
  const reminder = '<system-reminder>Write it to /home/x/config/plans/odd-words.md first.</system-reminder>'
  const [, write] = blocks(replyTo(user(`${reminder} ${plan}`)))
  expect(write).toMatchObject({ name: 'Write', input: { file_path: '/home/x/config/plans/odd-words.md' } })
})

test('to any other prompt it says that it is a script', () => {
  expect(blocks(replyTo(user('Delete everything.')))).toEqual([
    { type: 'text', text: 'This is a script, and it has no answer to that.' },
  ])
})
