import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import {
  evolveAsked,
  evolvingAsked,
  NO_CALLS,
  supersededBy,
} from '../../../src/sessions/asked/asked-calls.ts'
import { SessionRepeats } from '../../../src/sessions/in-advance/session-repeats.ts'
import { initialRunState } from '../../../src/child/state/run-state.ts'
import { asApprovalId } from '../../rig/tools/ids.ts'
import { runs } from '../../rig/tools/property-runs.ts'

const opened = (id: string, command: string, cwd = '/p'): EventOf<'approval.opened'> => ({
  type: 'approval.opened',
  approvalId: asApprovalId(id),
  requestId: id,
  kind: 'tool',
  toolName: 'Bash',
  input: { command },
  cwd,
})
const settled = (id: string, more: Partial<EventOf<'approval.settled'>>): SessionEvent => ({
  type: 'approval.settled',
  approvalId: asApprovalId(id),
  status: 'denied',
  ...more,
})
const fold = (...events: SessionEvent[]) => events.reduce(evolveAsked, NO_CALLS)
const NOW = 1_000_000
/** Of few questions, so that one is settled after it was opened, and opened again. */
const anyStep = fc.oneof(
  fc.constantFrom('a', 'b', 'c').map((id) => opened(id, 'ls')),
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('withdrawn', 'denied', 'allowed'))
    .map(([id, status]) => settled(id, { status, ...(status === 'denied' ? { repeatsUntil: NOW } : {}) })),
)
const denied = fold(opened('a', 'ls'), settled('a', { repeatsUntil: NOW + 60_000 }))
const repeats = (asked = denied, now = NOW + 10_000, windowMs = 60_000, open = initialRunState) =>
  new SessionRepeats(
    () => ({ asked, open }),
    () => windowMs,
    () => now,
  )
const call = { toolName: 'Bash', input: { command: 'ls' }, cwd: '/p' }

test('[12] only the very same call in the same folder is a repetition', () => {
  expect(repeats().denialOf(call)).toEqual({ repeats: 'a', secondsAgo: 10 })
  for (const other of [
    { ...call, input: { command: 'ls ' } },
    { ...call, input: { command: 'ls', timeout: 5 } },
    { ...call, cwd: '/q' },
    { ...call, toolName: 'Monitor' },
    { ...call, input: 'ls' },
    { ...call, input: null },
    { ...call, cwd: undefined },
  ])
    expect(repeats().denialOf(other)).toBeUndefined()
  expect([repeats().exist, repeats(NO_CALLS).exist]).toEqual([true, false])
  expect(repeats(NO_CALLS).denialOf(call)).toBeUndefined()
})

test('[12] where a call does not say its folder, our hook has seen it', () => {
  const seen = { toolName: 'Bash', opinion: 'ask', asked: false, input: {}, cwd: '/p' } as const
  const open = { ...initialRunState, seen: new Map([['toolu', seen]]) }
  const { toolName, input } = call
  expect(repeats(denied, NOW, 60_000, open).denialOf({ toolName, input, toolUseId: 'toolu' })).toMatchObject({
    repeats: 'a',
  })
  expect(repeats(denied, NOW, 60_000, open).denialOf({ toolName, input, toolUseId: 'other' })).toBeUndefined()
})

const ago = (later: number) => repeats(denied, NOW + later).denialOf(call)

test('[12] it says how many seconds ago the denial was, at least one', () => {
  const seconds = [0, 400, 1_600, 59_900].map(ago)
  expect(seconds).toEqual([1, 1, 2, 60].map((secondsAgo) => ({ repeats: 'a', secondsAgo })))
})

test('[12] it counts for the time of the setting, not longer if the clock is set back, and not at all with 0', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -200_000, max: 200_000 }),
      fc.constantFrom(0, 1_000, 60_000),
      (later, windowMs) => {
        const leftMs = 60_000 - later
        const counts = leftMs > 0 && leftMs <= windowMs
        expect(repeats(denied, NOW + later, windowMs).denialOf(call) !== undefined).toBe(counts)
      },
    ),
  )
})

test('[12] a new prompt, a later yes to another question and an expiry leave no repetition', () => {
  const prompt = { type: 'prompt.accepted', promptId: 'p', content: 'Do it' } as const
  expect(repeats(evolveAsked(denied, prompt)).denialOf(call)).toBeUndefined()
  const expired = fold(opened('a', 'ls'), settled('a', { status: 'expired' }))
  expect(repeats(expired).denialOf(call)).toBeUndefined()
  const other = [opened('b', 'date'), settled('b', { status: 'allowed' })].reduce(evolveAsked, denied)
  expect(repeats(other).denialOf(call)).toMatchObject({ repeats: 'a' })
})

test('(asked for: 11) a withdrawn question is superseded by the same call, once, until a turn is done without it', () => {
  const gone = fold(opened('a', 'ls'), settled('a', { status: 'withdrawn' }))
  expect(supersededBy(gone, opened('b', 'ls'))).toBe('a')
  expect(supersededBy(gone, opened('b', 'date'))).toBeUndefined()
  const again = evolveAsked(gone, { ...opened('b', 'ls'), supersedes: asApprovalId('a') })
  expect(supersededBy(again, opened('c', 'ls'))).toBeUndefined()
  expect(supersededBy(fold(opened('a', 'ls')), opened('a', 'ls')), 'read again').toBeUndefined()
  const interrupted = evolveAsked(gone, { type: 'turn.ended', outcome: 'interrupted' })
  expect(supersededBy(interrupted, opened('b', 'ls'))).toBe('a')
  const done = evolveAsked(gone, { type: 'turn.ended', outcome: 'done' })
  expect(supersededBy(done, opened('b', 'ls'))).toBeUndefined()
})

test('[12] a call that is denied again is kept once, with the later end', () => {
  const again = [opened('b', 'ls'), settled('b', { repeatsUntil: NOW + 90_000 })].reduce(evolveAsked, denied)
  expect(again.denied).toMatchObject([{ approvalId: 'b', until: NOW + 90_000 }])
  const other = [opened('c', 'date'), settled('c', { repeatsUntil: NOW })].reduce(evolveAsked, again)
  expect(other.denied.map(({ approvalId }) => approvalId)).toEqual(['b', 'c'])
})

test('each question is kept while it is open, and once; an end is that of its own question', () => {
  const both = fold(opened('a', 'ls'), opened('b', 'date'), opened('a', 'ls'))
  expect(both.open.map(({ approvalId }) => approvalId)).toEqual(['a', 'b'])
  const ended = evolveAsked(both, settled('b', { status: 'withdrawn' }))
  expect(ended.open.map(({ approvalId }) => approvalId)).toEqual(['a'])
  expect(ended.withdrawn.map(({ approvalId }) => approvalId)).toEqual(['b'])
  const answered = evolveAsked(both, settled('a', { status: 'allowed' }))
  expect(answered).toMatchObject({ open: [{ approvalId: 'b' }], denied: [], withdrawn: [] })
  expect(evolveAsked(both, settled('none', {}))).toBe(both)
})

test('(asked for: 11) a question that is open already supersedes nothing, another beside it does', () => {
  const gone = fold(opened('a', 'ls'), settled('a', { status: 'withdrawn' }), opened('b', 'ls'))
  expect(supersededBy(gone, opened('b', 'ls'))).toBeUndefined()
  expect(supersededBy(gone, opened('c', 'ls'))).toBe('a')
})

test('what ends nothing leaves it as it is', () => {
  expect(NO_CALLS).toEqual({ open: [], withdrawn: [], denied: [] })
  const prompt = { type: 'prompt.accepted', promptId: 'p', content: 'Do it' } as const
  const done = { type: 'turn.ended', outcome: 'done' } as const
  for (const event of [prompt, done]) expect(evolveAsked(NO_CALLS, event)).toBe(NO_CALLS)
  expect(evolveAsked(denied, prompt).denied).toEqual([])
  const gone = fold(opened('a', 'ls'), settled('a', { status: 'withdrawn' }))
  expect(evolveAsked(gone, done).withdrawn).toEqual([])
})

test('what is kept has a limit', () => {
  const events = Array.from({ length: 200 }, (_, n) => [
    opened(`a${n}`, `ls ${n}`),
    settled(`a${n}`, n % 2 ? { status: 'withdrawn' } : { repeatsUntil: NOW }),
  ]).flat()
  const { open, withdrawn, denied: kept } = fold(...events)
  expect([open.length, withdrawn.length, kept.length]).toEqual([0, 20, 20])
})

test('many events at once are folded as one by one, and the state before them is left as it was', () => {
  fc.assert(
    fc.property(fc.array(anyStep), fc.array(anyStep), (before, after) => {
      const first = fold(...before)
      const was = structuredClone(first)
      expect(after.reduce(evolvingAsked(), first)).toEqual(after.reduce(evolveAsked, first))
      expect(first).toEqual(was)
    }),
    { numRuns: runs(400) },
  )
})
