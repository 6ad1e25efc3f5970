import { describe, expect, test } from 'vitest'
import { parseLine } from '../../../src/child/lines/child-line.ts'
import { eventsOf } from '../../../src/child/lines/line-to-events.ts'
import { NO_OPINION } from '../../../src/child/policy/hook-opinion.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { lineFrom } from '../../rig/cli/recordings.ts'

const context = { sessionId: 's', opinion: () => NO_OPINION }
const eventsOfLine = (line: object): SessionEvent[] =>
  eventsOf(parseLine(lineFrom(JSON.stringify(line))), context)
const system = (subtype: string, more: object = {}) => eventsOfLine({ type: 'system', subtype, ...more })

describe('a message of the model', () => {
  const content = [
    { type: 'text', text: 'a' },
    { type: 'thinking', thinking: 'b' },
    { type: 'tool_use', id: 't', name: 'Bash', input: {} },
    { type: 'new' },
  ]
  const usage = { input_tokens: 1, cache_creation_input_tokens: 20, cache_read_input_tokens: 300 }
  const events = (message: object, more: object = {}) =>
    eventsOfLine({ type: 'assistant', message: { content, ...message }, ...more })

  test('says where it is in the conversation, and how large that is', () => {
    const place = { uuid: 'u', contextTokens: 321 }
    expect(events({ id: 'm', usage }, { uuid: 'u' })).toEqual([
      { type: 'text', text: 'a', messageId: 'm', ...place },
      { type: 'thinking', text: 'b', messageId: 'm', ...place },
      { type: 'tool.used', toolUseId: 't', toolName: 'Bash', input: {}, messageId: 'm', ...place },
    ])
  })

  test.each<[string, object, object, number | undefined]>([
    ['some counts are missing', { usage: { input_tokens: 5 } }, {}, 5],
    ['only the cache was read', { usage: { cache_read_input_tokens: 7 } }, {}, 7],
    ['only the cache was written', { usage: { cache_creation_input_tokens: 8 } }, {}, 8],
    ['the CLI made it itself', { usage: { input_tokens: 0 } }, {}, undefined],
    ['nothing is said', {}, {}, undefined],
    ['it is of an agent', { usage }, { parent_tool_use_id: 'agent' }, 321],
  ])('has this size of the context where %s', (_, message, more, tokens) => {
    const [text] = events(message, more)
    const sizes = Object.entries(text ?? {}).filter(([name]) => name === 'contextTokens')
    expect(sizes).toEqual(tokens === undefined ? [] : [['contextTokens', tokens]])
  })

  test('of an agent says to which call it belongs', () => {
    expect(events({}, { parent_tool_use_id: 'agent' })[0]).toEqual({
      type: 'text',
      text: 'a',
      parent: 'agent',
    })
  })
})

const result = (more: object) => ({
  type: 'user',
  parent_tool_use_id: 'agent',
  message: { content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 7 }], ...more }] },
})

test('the result of a tool of an agent says so, and one whose success cannot be read has failed', () => {
  const finished = { type: 'tool.finished', toolUseId: 't', content: '[unknown]', parent: 'agent' }
  expect(eventsOfLine(result({}))).toEqual([{ ...finished, isError: false }])
  expect(eventsOfLine(result({ is_error: 'no' }))).toEqual([{ ...finished, isError: true }])
})

describe('the end of a turn', () => {
  const end = { type: 'result', subtype: 'success', is_error: false, result: 'done' }
  const ended = { type: 'turn.ended', outcome: 'done', result: 'done' }

  test('has what the CLI says about it', () => {
    const line = { ...end, structured_output: { a: 1 }, num_turns: 2, duration_ms: 3 }
    expect(eventsOfLine(line)).toEqual([{ ...ended, structuredOutput: { a: 1 }, turns: 2, durationMs: 3 }])
    expect(eventsOfLine({ ...end, total_cost_usd: null })).toEqual([ended])
  })

  test('has the cost, the tokens and the windows that are known', () => {
    const usage = { input_tokens: 4, output_tokens: 5 }
    const counts = { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 4, cacheCreationInputTokens: 8 }
    const modelUsage = {
      big: { contextWindow: 1_000, costUSD: 3, ...counts },
      odd: 7,
      none: { contextWindow: null },
    }
    const cost = { type: 'cost.reported', total: 2 }
    expect(eventsOfLine({ ...end, total_cost_usd: 2, usage, modelUsage })).toEqual([
      {
        ...cost,
        inputTokens: 4,
        outputTokens: 5,
        tokens: 15,
        models: { big: { usd: 3, tokens: 15 } },
        contextWindows: { big: 1_000 },
      },
      ended,
    ])
    const bare = [{ ...cost, inputTokens: 0, outputTokens: 0 }, ended]
    expect(eventsOfLine({ ...end, total_cost_usd: 2 })).toEqual(bare)
    expect(eventsOfLine({ ...end, total_cost_usd: 2, usage: {}, modelUsage: { odd: 7 } })).toEqual(bare)
  })
})

describe('a line of the system', () => {
  test('at the start of a turn', () => {
    const about = { model: 'm', permissionMode: 'plan' }
    const init = { session_id: 's', cwd: '/a', claude_code_version: '2', ...about }
    expect(system('init', init)).toEqual([
      { type: 'turn.started', cliSessionId: 's', workingDirectory: '/a', cliVersion: '2', ...about },
    ])
  })

  test('about a retry', () => {
    const retry = { attempt: 1, max_retries: 2, retry_delay_ms: 3 }
    const retried = { type: 'api.retried', attempt: 1, maxRetries: 2, delayMs: 3 }
    expect(system('api_retry', retry)).toEqual([{ ...retried, error: '' }])
    expect(system('api_retry', { ...retry, error: 'overloaded', error_status: 529 })).toEqual([
      { ...retried, error: 'overloaded', status: 529 },
    ])
  })

  test('about a refusal', () => {
    const denied = { tool_name: 'Bash', tool_use_id: 't' }
    const refused = { type: 'tool.refused', toolUseId: 't', toolName: 'Bash' }
    expect(system('permission_denied', denied)).toEqual([{ ...refused, message: '' }])
    expect(system('permission_denied', { ...denied, message: 'no' })).toEqual([{ ...refused, message: 'no' }])
  })

  test('about a context that was compacted', () => {
    const compact = { trigger: 'auto', pre_tokens: 900, post_tokens: 100 }
    expect(system('compact_boundary', { compact_metadata: compact })).toEqual([
      { type: 'context.compacted', trigger: 'auto', before: 900, after: 100 },
    ])
  })

  test('about a task that begins', () => {
    const started = { type: 'task.started', taskId: 't' }
    expect(system('task_started', { task_id: 't' })).toEqual([{ ...started, kind: '', description: '' }])
    const all = { task_id: 't', task_type: 'local_agent', description: 'look', tool_use_id: 'u' }
    expect(system('task_started', all)).toEqual([
      { ...started, kind: 'local_agent', description: 'look', toolUseId: 'u' },
    ])
  })

  test.each([
    ['task_updated', { patch: { status: 'killed' } }, ['killed']],
    ['task_updated', { patch: { status: 'running' } }, []],
    ['task_updated', { patch: {} }, []],
    ['task_updated', {}, []],
    ['task_notification', { status: 'completed' }, ['completed']],
    ['task_notification', { status: 'running' }, []],
  ])('about a task: %s %j', (subtype, more, statuses) => {
    expect(system(subtype, { task_id: 't', ...more })).toEqual(
      statuses.map((status) => ({ type: 'task.ended', taskId: 't', status })),
    )
  })
})

test('a request of a kind that cannot be read is unknown, and a response is kept for who asked', () => {
  const request = { type: 'control_request', request_id: 'r', request: { subtype: 7 } }
  expect(eventsOfLine(request)).toEqual([{ type: 'request.unknown', requestId: 'r', subtype: '' }])
  const response = { subtype: 'error', request_id: 'r', response: 1, error: 'no' }
  const line = { type: 'control_response', response }
  expect(parseLine(lineFrom(JSON.stringify(line)))).toEqual(line)
})
