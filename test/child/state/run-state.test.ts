import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownToolName } from '../../../src/child/launch/mcp-servers.ts'
import {
  callOf,
  cwdOf,
  evolve,
  evolving,
  initialRunState,
  isCutOff,
  noteFor,
  pendingApprovals,
  type RunState,
} from '../../../src/child/state/run-state.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import {
  accepted,
  allow,
  cancelled,
  cuts,
  finished,
  histories,
  inBatches,
  opened,
  refused,
  seen,
  settled,
  turnEnded,
} from '../../rig/cli/event-stories.ts'
import { asRunId } from '../../rig/tools/ids.ts'

const fold = (...events: SessionEvent[]): RunState => events.reduce(evolve, initialRunState)
const unread: SessionEvent = { type: 'line.unparsed', text: '', bytes: 0 }

/** What is open, in short. */
const openIn = ({ prompts, hooks, approvals, unknown, seen: calls }: RunState): string[] => [
  ...prompts.keys(),
  ...hooks.keys(),
  ...[...approvals].map(([id, { decision }]) => (decision ? `${id} decided` : id)),
  ...unknown,
  ...[...calls].map(([id, { asked }]) => (asked ? `${id} asked` : id)),
]

const odd: SessionEvent = { type: 'request.unknown', requestId: 'odd-1', subtype: 'new' }
const rules: Record<string, { events: SessionEvent[]; open: string[] }> = {
  'an accepted prompt is open': { events: [accepted('p')], open: ['p'] },
  'an echoed prompt is not': { events: [accepted('p'), { type: 'prompt.echoed', promptId: 'p' }], open: [] },
  'a withdrawn prompt is not': {
    events: [accepted('p'), { type: 'prompt.withdrawn', promptId: 'p' }],
    open: [],
  },
  'a hook is open once seen': { events: [seen('1')], open: ['hook-1', 'tool-1'] },
  'a question closes its hook': {
    events: [seen('1'), opened('1', 'tool-1')],
    open: ['approval-1', 'tool-1 asked'],
  },
  'a question of another call does not': {
    events: [seen('1'), opened('2', 'tool-2')],
    open: ['hook-1', 'approval-2', 'tool-1'],
  },
  'a form closes no hook': { events: [seen('1'), opened('1')], open: ['hook-1', 'approval-1', 'tool-1'] },
  'a refusal closes the hook and counts as asked': {
    events: [seen('1'), refused('1')],
    open: ['tool-1 asked'],
  },
  'a decision is open until the tool has finished': {
    events: [seen('1'), opened('1', 'tool-1'), settled('1', allow)],
    open: ['approval-1 decided', 'tool-1 asked'],
  },
  'an approval settled without a decision is closed': {
    events: [opened('1', 'tool-1'), settled('1')],
    open: [],
  },
  'a decision on nothing changes nothing': { events: [settled('1', allow)], open: [] },
  'a question told again keeps its decision': {
    events: [opened('1', 'tool-1'), settled('1', allow), opened('1', 'tool-1')],
    open: ['approval-1 decided'],
  },
  'a finished tool closes all of its call': {
    events: [seen('1'), opened('1', 'tool-1'), settled('1', allow), finished('1')],
    open: [],
  },
  'a finished tool closes only its own': {
    events: [seen('1'), seen('2'), finished('2')],
    open: ['hook-1', 'tool-1'],
  },
  'a hook that was taken back never ran': { events: [seen('1'), cancelled('hook-1')], open: [] },
  'a question that was taken back is closed': {
    events: [seen('1'), opened('1', 'tool-1'), cancelled('ask-1')],
    open: ['tool-1 asked'],
  },
  'an unknown request is open until it is taken back': { events: [odd], open: ['odd-1'] },
  'and not after': { events: [odd, cancelled('odd-1')], open: [] },
  'the end of a turn closes nothing': {
    events: [seen('1'), opened('1', 'tool-1'), odd, turnEnded(), { type: 'turn.started', cliSessionId: 's' }],
    open: ['approval-1', 'odd-1', 'tool-1 asked'],
  },
  'the end of the run closes all but prompts': {
    events: [
      accepted('p'),
      seen('1'),
      opened('2', 'tool-2'),
      odd,
      unread,
      { type: 'run.ended', runId: asRunId('r') },
    ],
    open: ['p'],
  },
  'a call without an id is only a hook': { events: [{ ...seen('1'), toolUseId: '' }], open: ['hook-1'] },
}

test.each(Object.entries(rules))('%s', (_, { events, open }) => {
  expect(openIn(fold(...events))).toEqual(open)
})

test('what waits for somebody is what nobody has decided', () => {
  const state = fold(opened('1', 'tool-1'), opened('2', 'tool-2'), settled('1', allow))
  expect(pendingApprovals(state)).toEqual([opened('2', 'tool-2')])
})

test('prompts stay in the order in which they were accepted', () => {
  const state = fold(accepted('b'), accepted('a'), accepted('c'), { type: 'prompt.echoed', promptId: 'a' })
  expect([...state.prompts.keys()]).toEqual(['b', 'c'])
})

test('damage lasts as long as its turn, the count of it as long as the run', () => {
  expect(fold(unread, unread)).toMatchObject({ damage: 2, unread: 2 })
  expect(fold(unread, turnEnded())).toMatchObject({ damage: 0, unread: 1 })
  expect(fold(unread, { type: 'turn.started', cliSessionId: 's' }, unread)).toMatchObject({
    damage: 1,
    unread: 2,
  })
  expect(fold(unread, { type: 'run.ended', runId: asRunId('r') })).toEqual(initialRunState)
})

test('no more unknown requests are kept than anybody will answer', () => {
  const events = Array.from({ length: 1_500 }, (_, index): SessionEvent => ({
    type: 'request.unknown',
    requestId: String(index),
    subtype: '',
  }))
  const { unknown } = fold(...events)
  expect(unknown).toHaveLength(1_000)
  expect(unknown.at(-1)).toBe('1499')
})

test('text leaves the state as it is, however much of it there is and whatever is open', () => {
  const open = Array.from({ length: 64 }, (_, index) => opened(String(index), `tool-${index}`))
  const state = fold(...open)
  const said: SessionEvent[] = [
    { type: 'text.streamed', text: 'a' },
    { type: 'text', text: 'a' },
    { type: 'thinking', text: 'a' },
    { type: 'cost.reported', total: 1, inputTokens: 1, outputTokens: 1 },
    { type: 'line.unknown', line: {} },
    { type: 'prompt.echoed', promptId: 'of nobody' },
    turnEnded(),
  ]
  let after = state
  for (let index = 0; index < 100_000; index++)
    after = evolve(after, said[index % said.length] ?? turnEnded())
  expect(after).toBe(state)
})

test('a fold in pieces is the fold in one go, and no event changes the state before it', () => {
  fc.assert(
    fc.property(histories, cuts, (events, where) => {
      let state = initialRunState
      for (const batch of inBatches(events, where)) {
        const before = structuredClone(state)
        const after = batch.reduce(evolve, state)
        expect(state).toEqual(before)
        state = after
      }
      expect(state).toEqual(fold(...events))
    }),
  )
})

test('a sequence gives what its events give one by one, in the same order, and leaves the state it began with', () => {
  fc.assert(
    fc.property(histories, cuts, (events, where) => {
      let state = initialRunState
      for (const batch of inBatches(events, where)) {
        const before = structuredClone(state)
        const evolveNext = evolving()
        let after = state
        for (const event of batch) after = evolveNext(after, event)
        expect(after).toEqual(batch.reduce(evolve, state))
        expect(openIn(after)).toEqual(openIn(batch.reduce(evolve, state)))
        expect(state).toEqual(before)
        state = after
      }
    }),
  )
})

const returned = (id: string): SessionEvent => ({
  type: 'tool.returned',
  requestId: `after-${id}`,
  toolUseId: `tool-${id}`,
})
const used = (id: string): SessionEvent => ({
  type: 'tool.used',
  toolUseId: `tool-${id}`,
  toolName: 'Bash',
  input: {},
  uuid: `uuid-${id}`,
})
const unaskedBy = (cause?: 'not seen'): SessionEvent => ({
  type: 'tool.unasked',
  toolUseId: 'tool-1',
  toolName: 'Bash',
  ...(cause ? { cause } : {}),
})

const unseenIn = (...events: SessionEvent[]) => [...fold(...events).unseen.keys()]

test('a call of the model is unseen until our hook saw it, in either order, or it has finished', () => {
  expect(unseenIn(used('1'), used('2'))).toEqual(['tool-1', 'tool-2'])
  expect(unseenIn(used('1'), used('2'), seen('1'))).toEqual(['tool-2'])
  expect(unseenIn(seen('1'), used('1'))).toEqual([])
  expect(unseenIn(used('1'), used('2'), finished('2'))).toEqual(['tool-1'])
})

const returnedIn = (...events: SessionEvent[]) => [...fold(...events).returned.keys()]

test('a call that has run waits for our word until its result, or until it is taken back', () => {
  expect(returnedIn(returned('1'), returned('2'))).toEqual(['after-1', 'after-2'])
  expect(returnedIn(returned('1'), returned('2'), finished('1'))).toEqual(['after-2'])
  expect(returnedIn(returned('1'), returned('2'), cancelled('after-2'))).toEqual(['after-1'])
})

const unguardedIn = (...events: SessionEvent[]) => fold(...events).unguarded

test('calls that ran past us are counted until the end of the turn', () => {
  expect(unguardedIn(unaskedBy('not seen'), unaskedBy(), unaskedBy('not seen'))).toBe(2)
  expect(unguardedIn(unaskedBy('not seen'), turnEnded())).toBe(0)
})

test('damage is of its turn, and a new turn begins without it', () => {
  const began: SessionEvent = { type: 'turn.started', cliSessionId: 's' }
  expect(fold(unread, unread, began)).toMatchObject({ damage: 0, unread: 2 })
  expect(fold(began, unread)).toMatchObject({ damage: 1, unread: 1 })
  const state = fold(began)
  expect(evolve(state, began)).toBe(state)
})

const cutOffBy = (...events: SessionEvent[]) =>
  [ownToolName('claude_start'), 'Bash', 'mcp__web__get'].map((tool) => isCutOff(fold(...events), tool))

test('once nesting has ended, the tools of our server are cut off, and no others, until the process ends', () => {
  const ended: SessionEvent = { type: 'nesting.ended', reason: 'another port' }
  expect(cutOffBy()).toEqual([false, false, false])
  expect(cutOffBy(ended)).toEqual([true, false, false])
  expect(cutOffBy(ended, { type: 'run.ended', runId: asRunId('r') })).toEqual([false, false, false])
})

test('the note for a call is that of the yes to it', () => {
  const state = fold(
    opened('1', 'tool-1'),
    settled('1', { behavior: 'deny', message: 'no' }),
    opened('2', 'tool-2'),
    settled('2', { behavior: 'allow', updatedInput: {}, message: 'mind' }),
    opened('3', 'tool-3'),
  )
  expect(['1', '2', '3', '4'].map((id) => noteFor(state, `tool-${id}`))).toEqual([
    undefined,
    'mind',
    undefined,
    undefined,
  ])
})

test('a request that we do not know is forgotten when it is taken back, and no other with it', () => {
  const other: SessionEvent = { ...odd, requestId: 'odd-2' }
  expect(fold(odd, other, cancelled('odd-1')).unknown).toEqual(['odd-2'])
  expect(fold(odd, other, cancelled('else')).unknown).toEqual(['odd-1', 'odd-2'])
})

test('the folder of a call is the one that our hook received', () => {
  const state = fold({ ...seen('1'), cwd: '/project' })
  expect([cwdOf(state, 'tool-1'), cwdOf(state, 'tool-2'), cwdOf(state, undefined)]).toEqual([
    '/project',
    undefined,
    undefined,
  ])
})

test('a question about a budget is put by the hub: no process waits for its answer', () => {
  const asked = { ...opened('1', 'tool-1'), kind: 'budget' } as const
  expect(pendingApprovals(fold(asked))).toEqual([])
  const decision = { behavior: 'budget', action: 'stop', resource: 'usd' } as const
  expect(openIn(fold(opened('1', 'tool-1'), { ...settled('1'), status: 'denied', decision }))).toEqual([])
})

test('a running call has its input for the record, whether our hook saw it or not', () => {
  const called = {
    type: 'tool.used',
    toolUseId: 'tool-1',
    toolName: 'Bash',
    input: { command: 'ls' },
  } as const
  expect(callOf(fold(called), 'tool-1')).toMatchObject({ input: { command: 'ls' } })
  expect(callOf(fold(called, { ...seen('1'), cwd: '/a' }), 'tool-1')).toMatchObject({
    input: { command: 'ls' },
    cwd: '/a',
  })
  expect(callOf(fold({ ...seen('1'), cwd: '/a' }, called), 'tool-1')).toMatchObject({
    input: { command: 'ls' },
    cwd: '/a',
    toolName: 'Bash',
  })
  const own = { ...seen('1', 'ask'), input: { command: 'own' } }
  expect(callOf(fold(called, own), 'tool-1')).toMatchObject({ input: { command: 'own' } })
  expect(callOf(fold(called, finished('1')), 'tool-1')).toBeUndefined()
})
