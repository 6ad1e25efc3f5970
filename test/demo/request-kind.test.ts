import { expect, test } from 'vitest'
import { bodyFrom } from '../../src/demo/model-request.ts'
import type { Incoming } from '../../src/demo/request-kind.ts'
import { modelRequestFrom } from '../../src/demo/request-kind.ts'

const reminder = '<system-reminder>\nToday is Monday.\n</system-reminder>\n'

const turn = (content: unknown, extra: object = {}) => ({
  model: 'claude-x',
  stream: true,
  system: 'You are an agent.',
  tools: [{ name: 'Bash' }],
  messages: [{ role: 'user', content }],
  ...extra,
})

const post = (body: unknown, over: Partial<Incoming> = {}): Incoming => ({
  method: 'POST',
  path: '/v1/messages',
  headers: {},
  body: bodyFrom(JSON.stringify(body)),
  bytes: 0,
  ...over,
})

const textOf = (content: unknown) => modelRequestFrom(post(turn(content))).lastUserText

test('a turn of the main conversation says which session it belongs to', () => {
  const headers = { 'x-claude-code-session-id': 'S' }
  expect(modelRequestFrom(post(turn('hi'), { headers }))).toMatchObject({ kind: 'main', sessionId: 'S' })
  const metadata = { user_id: JSON.stringify({ device_id: 'd', session_id: 'T' }) }
  expect(modelRequestFrom(post(turn('hi', { metadata })))).toMatchObject({ kind: 'main', sessionId: 'T' })
  expect(modelRequestFrom(post(turn('hi', { metadata: { user_id: 'user_1' } })))).not.toHaveProperty(
    'sessionId',
  )
})

test('a sub-agent is recognized by its header and named by its first message', () => {
  const headers = { 'x-claude-code-session-id': 'S', 'x-claude-code-agent-id': 'a1' }
  const body = turn('count the files', {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: reminder },
          { type: 'text', text: 'count the files' },
        ],
      },
      { role: 'assistant', content: 'sure' },
      { role: 'user', content: 'write the report' },
    ],
  })
  const named = modelRequestFrom(post(body, { headers }), ['Monday', 'report', 'count'])
  expect(named).toMatchObject({ kind: 'agent', agent: 'count', agentId: 'a1', sessionId: 'S' })
  expect(modelRequestFrom(post(body, { headers }), ['other'])).not.toHaveProperty('agent')
})

test.each([
  ['a probe', post(undefined, { method: 'HEAD', path: '/' })],
  ['a token count', post(turn('hi'), { path: '/v1/messages/count_tokens' })],
  [
    'a token count by a message of one token',
    post({ model: 'm', max_tokens: 1, messages: [], tools: [{ name: 'Bash' }] }),
  ],
  ['a title', post(turn('hi', { tools: [], output_config: { format: { type: 'json_schema' } } }))],
  ['a classifier', post(turn('hi', { tools: [], stream: false }))],
  ['a forced tool', post(turn('hi', { tool_choice: { type: 'tool', name: 'Bash' } }))],
  ['a summary', post(turn('Reply with an <analysis> block followed by a <summary> block.'))],
  [
    'a side question',
    post(turn('<system-reminder>This is a side question from the user.</system-reminder>\nwhy?')),
  ],
  ['something that is not JSON', { ...post({}), body: bodyFrom('{"model":') }],
])('%s is no turn', (_name, incoming) => {
  expect(modelRequestFrom(incoming).kind).toBe('side')
})

test.each([
  ['without tools', turn('hi', { tools: [] })],
  ['repeated without a stream', turn('hi', { stream: false })],
  ['with an effort', turn('hi', { output_config: { effort: 'high' } })],
  [
    'whose tool result quotes a side question',
    turn([
      {
        type: 'tool_result',
        tool_use_id: 't',
        content: '<system-reminder>This is a side question from the user',
      },
    ]),
  ],
])('a turn %s is still a turn', (_name, body) => {
  expect(modelRequestFrom(post(body)).kind).toBe('main')
})

test('the last user text omits reminders, unless there is nothing else', () => {
  expect(textOf('plain')).toBe('plain')
  expect(textOf(`${reminder}\nglued`)).toBe('glued')
  expect(
    textOf([
      { type: 'text', text: reminder },
      { type: 'text', text: 'own block' },
    ]),
  ).toBe('own block')
  expect(textOf(reminder)).toBe(reminder)
})

test('tool results are read whether their content is a text or blocks', () => {
  const { toolResults } = modelRequestFrom(
    post(
      turn([
        { type: 'tool_result', tool_use_id: 't1', content: 'one' },
        { type: 'tool_result', tool_use_id: 't2', is_error: true, content: [{ type: 'text', text: 'two' }] },
        { type: 'tool_result', tool_use_id: 't3' },
        { type: 'text', text: 'and a word' },
      ]),
    ),
  )
  expect(toolResults).toEqual([
    { toolUseId: 't1', text: 'one', isError: false },
    { toolUseId: 't2', text: 'two', isError: true },
    { toolUseId: 't3', text: '', isError: false },
  ])
})
