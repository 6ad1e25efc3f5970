import { expect, test } from 'vitest'
import { parseLine } from '../../../src/child/lines/child-line.ts'
import { NO_OPINION } from '../../../src/child/policy/hook-opinion.ts'
import { eventsOf } from '../../../src/child/lines/line-to-events.ts'
import { initialRunState } from '../../../src/child/state/run-state.ts'
import { takeIn } from '../../rig/cli/take-in.ts'
import { type EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import { lineFrom, recording, storiesOf, type Version, VERSIONS } from '../../rig/cli/recordings.ts'

const context = { sessionId: '00000000-0000-4000-8000-000000000000', opinion: () => NO_OPINION }

const eventsIn = (version: Version, story: string): SessionEvent[] =>
  recording(version, story).flatMap((line) => eventsOf(parseLine(line), context))

const eventsOfLine = (line: object): SessionEvent[] =>
  eventsOf(parseLine(lineFrom(JSON.stringify(line))), context)

function first<T extends SessionEvent['type']>(version: Version, story: string, type: T): EventOf<T> {
  const found = eventsIn(version, story).find((event): event is EventOf<T> => event.type === type)
  if (!found) throw new Error(`${story} has no ${type}`)
  return found
}

/** What each story becomes; where the two versions tell it differently, one list each. */
const TYPES: Record<string, string | Record<Version, string>> = {
  'background-bash': {
    '2.1.197':
      'turn.started prompt.echoed tool.used tool.seen task.started tool.finished task.ended text cost.reported turn.ended task.ended turn.started text cost.reported turn.ended',
    '2.1.325':
      'turn.started prompt.echoed tool.used tool.seen task.started tool.finished task.ended task.ended text cost.reported turn.ended turn.started text cost.reported turn.ended',
  },
  clear: {
    '2.1.197':
      'turn.started prompt.echoed text cost.reported turn.ended turn.started text cost.reported turn.ended turn.started prompt.echoed text cost.reported turn.ended',
    '2.1.325':
      'turn.started prompt.echoed text cost.reported turn.ended conversation.cleared turn.started prompt.echoed cost.reported turn.ended turn.started prompt.echoed text cost.reported turn.ended',
  },
  compact: {
    '2.1.197':
      'turn.started prompt.echoed text cost.reported turn.ended turn.started prompt.echoed text cost.reported turn.ended turn.started context.compacted prompt.echoed cost.reported turn.ended',
    '2.1.325':
      'turn.started prompt.echoed text cost.reported turn.ended turn.started prompt.echoed text cost.reported turn.ended turn.started context.compacted prompt.echoed prompt.echoed cost.reported turn.ended',
  },
  denied:
    'turn.started prompt.echoed tool.used tool.seen tool.refused tool.finished text cost.reported turn.ended',
  'failed-turn': {
    '2.1.197': 'turn.started prompt.echoed text cost.reported turn.ended',
    '2.1.325': 'turn.started prompt.echoed text cost.reported turn.ended prompt.withdrawn',
  },
  form: 'turn.started prompt.echoed tool.used tool.seen approval.opened tool.finished text cost.reported turn.ended',
  'interrupt-while-hanging': {
    '2.1.197': 'turn.started prompt.echoed cost.reported turn.ended',
    '2.1.325': 'turn.started prompt.echoed cost.reported turn.ended prompt.withdrawn',
  },
  'interrupt-while-pending': {
    '2.1.197':
      'turn.started prompt.echoed tool.used tool.seen approval.opened request.cancelled tool.finished cost.reported turn.ended',
    '2.1.325':
      'turn.started prompt.echoed tool.used tool.seen approval.opened request.cancelled tool.finished cost.reported turn.ended prompt.withdrawn',
  },
  'mode-change': 'mode.changed turn.started prompt.echoed text cost.reported turn.ended',
  'parallel-reads':
    'turn.started prompt.echoed tool.used tool.seen tool.used tool.seen approval.opened approval.opened tool.finished tool.finished text cost.reported turn.ended',
  plan: 'turn.started prompt.echoed tool.used tool.seen approval.opened mode.changed tool.finished text cost.reported turn.ended',
  question:
    'turn.started prompt.echoed tool.used tool.seen approval.opened tool.finished text cost.reported turn.ended',
  'retry-after-500': 'turn.started api.retried prompt.echoed text cost.reported turn.ended',
  'sub-agent': {
    '2.1.197':
      'turn.started prompt.echoed tool.used tool.seen task.started tool.seen tool.used approval.opened tool.finished task.ended task.ended tool.finished text cost.reported turn.ended',
    '2.1.325':
      'turn.started prompt.echoed tool.used tool.seen task.started tool.finished tool.used tool.seen text approval.opened cost.reported turn.ended tool.finished text task.ended task.ended turn.started text cost.reported turn.ended',
  },
  text: {
    '2.1.197': 'turn.started text.streamed prompt.echoed text message.ended cost.reported turn.ended',
    '2.1.325': 'turn.started prompt.echoed text.streamed text message.ended cost.reported turn.ended',
  },
  thinking: 'turn.started prompt.echoed thinking text cost.reported turn.ended',
  'tool-asked':
    'turn.started prompt.echoed tool.used tool.seen approval.opened tool.finished text cost.reported turn.ended',
  'tool-unasked':
    'turn.started prompt.echoed tool.used tool.seen tool.finished text cost.reported turn.ended',
}

test('there is a recording of every story for each version', () => {
  for (const version of VERSIONS) expect(storiesOf(version).toSorted()).toEqual(Object.keys(TYPES).toSorted())
})

for (const version of VERSIONS) {
  test.each(Object.keys(TYPES))(`the events of the story "%s" on ${version}`, (story) => {
    const expected = TYPES[story]
    const types = eventsIn(version, story).map(({ type }) => type)
    expect(types.join(' ')).toBe(typeof expected === 'string' ? expected : expected?.[version])
  })

  test(`every line of ${version} is understood, and every event is as the schema says`, () => {
    for (const story of storiesOf(version)) {
      const events = eventsIn(version, story)
      expect(events.filter(({ type }) => type.startsWith('line.') || type === 'request.unknown')).toEqual([])
      for (const event of events) expect(SessionEvent.parse(event)).toEqual(event)
    }
  })

  test(`${version} leaves nothing open when a story is over`, () => {
    for (const story of storiesOf(version)) {
      const { state } = takeIn(initialRunState, eventsIn(version, story))
      expect({ story, hooks: state.hooks.size, seen: state.seen.size }).toEqual({ story, hooks: 0, seen: 0 })
      // Nobody settles anything here, so a form, which has no tool_result of its own, stays as it was asked.
      expect(state.approvals.size).toBe(story === 'form' ? 1 : 0)
    }
  })

  test(`on ${version} only calls that nobody was asked about are reported as unasked`, () => {
    const unasked = storiesOf(version).filter((story) =>
      takeIn(initialRunState, eventsIn(version, story)).events.some(({ type }) => type === 'tool.unasked'),
    )
    expect(unasked).toEqual(['background-bash', 'form', 'sub-agent', 'tool-unasked'])
  })

  test(`a question on ${version} carries what somebody needs to answer it`, () => {
    expect(first(version, 'tool-asked', 'approval.opened')).toMatchObject({
      kind: 'tool',
      toolName: 'Bash',
      input: { command: 'touch asked' },
      toolUseId: expect.stringMatching(/^toolu_/),
      blockedPath: '/home/somebody/project/asked',
      suggestions: expect.any(Array),
    })
    expect(first(version, 'parallel-reads', 'approval.opened')).toMatchObject({
      toolName: 'Read',
      reason: 'Path is outside allowed working directories',
    })
    expect(first(version, 'sub-agent', 'approval.opened').agentId).toBeTruthy()
    expect(first(version, 'plan', 'approval.opened').kind).toBe('plan')
    expect(first(version, 'question', 'approval.opened').kind).toBe('question')
    expect(first(version, 'form', 'approval.opened')).toMatchObject({
      kind: 'form',
      toolName: 'asking',
      input: { message: 'Who are you?', mode: 'form', schema: { type: 'object' } },
    })
  })

  test(`the end of a turn on ${version} says how it ended`, () => {
    expect(first(version, 'text', 'turn.ended')).toMatchObject({ outcome: 'done', result: 'Hello there.' })
    expect(first(version, 'interrupt-while-pending', 'turn.ended').outcome).toBe('interrupted')
    expect(first(version, 'interrupt-while-hanging', 'turn.ended').outcome).toBe('interrupted')
    expect(first(version, 'failed-turn', 'turn.ended')).toMatchObject({
      outcome: 'failed',
      error: { code: 'cli_failed', message: expect.stringContaining('no such thing') },
    })
  })

  test(`after /clear on ${version} the next turn reports another session id`, () => {
    const ids = eventsIn(version, 'clear').flatMap((event) =>
      event.type === 'turn.started' ? [event.cliSessionId] : [],
    )
    expect(ids).toHaveLength(3)
    expect(ids[1]).not.toBe(ids[0])
    expect(ids[2]).toBe(ids[1])
  })
}

test('a failed turn without a word still has a sentence', () => {
  expect(eventsOfLine({ type: 'result' })).toEqual([
    {
      type: 'turn.ended',
      outcome: 'failed',
      error: { code: 'cli_failed', message: 'Claude Code gave no reason.' },
    },
  ])
})

test('a turn that says success may have failed', () => {
  const line = { type: 'result', subtype: 'success', is_error: true, result: 'Not logged in' }
  expect(eventsOfLine(line)).toMatchObject([{ outcome: 'failed', error: { message: 'Not logged in' } }])
})

test.each([
  ['text', 'plain', 'plain'],
  ['nothing', undefined, ''],
  ['null', null, ''],
  ['an object', { a: 1 }, '{"a":1}'],
  [
    'blocks',
    [{ type: 'text', text: 'a' }, { type: 'image' }, null, 7, { text: 1 }],
    'a\n[image]\nnull\n7\n[unknown]',
  ],
])('the result of a tool may be %s', (_, content, expected) => {
  const message = { content: [{ type: 'tool_result', tool_use_id: 't', content }] }
  expect(eventsOfLine({ type: 'user', message })).toEqual([
    { type: 'tool.finished', toolUseId: 't', isError: false, content: expected },
  ])
})

test('a block that cannot be read does not hide the tool result beside it', () => {
  const message = { content: [null, { type: 'tool_result', tool_use_id: 't' }, 'odd'] }
  expect(eventsOfLine({ type: 'user', message, uuid: 7 })).toMatchObject([{ toolUseId: 't' }])
})

test.each(['constructor', '__proto__', 'toString'])('a tool named %s is a tool like any other', (name) => {
  const request = { subtype: 'can_use_tool', tool_name: name, input: {} }
  const line = { type: 'control_request', request_id: 'r', request }
  expect(eventsOfLine(line)).toMatchObject([{ type: 'approval.opened', kind: 'tool', toolName: name }])
})

test('a call that could not be matched with its result is asked for', () => {
  const request = { subtype: 'hook_callback', input: { tool_name: 'Bash', tool_input: {} } }
  const line = { type: 'control_request', request_id: 'r', request }
  expect(eventsOfLine(line)).toMatchObject([{ type: 'tool.seen', toolUseId: '', opinion: 'ask' }])
})

test('a request that nobody could answer counts as one that could not be read', () => {
  const line = { type: 'control_request', request: { subtype: 'can_use_tool' } }
  expect(eventsOfLine(line)).toMatchObject([{ type: 'line.unparsed' }])
})

test('a line of an unknown kind is kept whole', () => {
  const line = { type: 'new_thing', deep: { down: [1] } }
  expect(eventsOfLine(line)).toEqual([{ type: 'line.unknown', line }])
})
