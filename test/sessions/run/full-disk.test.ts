import { expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { initialSessionState, type SessionState } from '../../../src/sessions/record/session-state.ts'
import {
  afterEvents,
  afterCheck,
  type Check,
  type LossState,
  NO_LOSS,
  type Verdict,
} from '../../../src/sessions/run/full-disk.ts'

const space: Check = { now: 0, atWork: true, upToDate: true, diskFull: false, written: 10, read: 10 }
const full: Check = { ...space, diskFull: true }

function verdictsOf(start: LossState, ...looks: Check[]): Verdict[] {
  let loss = start
  return looks.map((look) => {
    const { state, verdict } = afterCheck(loss, look)
    loss = state
    return verdict
  })
}

test('a child that was at work on a full disk and writes nothing after it has lost something, which is noted once', () => {
  expect(verdictsOf(NO_LOSS, space, full, full, space, space)).toEqual([
    'nothing',
    'disk full',
    'nothing',
    'lost',
    'nothing',
  ])
})

test('a child that continues to write has lost words at most', () => {
  expect(verdictsOf(NO_LOSS, full, { ...space, written: 11 }, space)).toEqual([
    'disk full',
    'nothing',
    'nothing',
  ])
})

test('a child that waits for somebody writes nothing, so it has lost nothing', () => {
  const waiting = { ...full, atWork: false }
  expect(verdictsOf(NO_LOSS, waiting, space)).toEqual(['nothing', 'nothing'])
  expect(verdictsOf(NO_LOSS, full, waiting, space)).toEqual(['disk full', 'nothing', 'lost'])
})

test('what a child wrote before the disk was full is read first', () => {
  expect(verdictsOf(NO_LOSS, full, { ...space, read: 9 }, space)).toEqual(['disk full', 'nothing', 'lost'])
})

const unparsed: SessionEvent = { type: 'line.unparsed', text: '', bytes: 0 }
const text: SessionEvent = { type: 'text', text: 'still here' }
const ended: SessionEvent = { type: 'turn.ended', outcome: 'failed' }
const started: SessionEvent = { type: 'turn.started', cliSessionId: 's' }
const idle = initialSessionState
const inTurn: SessionState = { ...idle, inTurn: true }
const withAgent: SessionState = { ...inTurn, agents: ['a'] }
const looksAt = (...times: number[]): Check[] => times.map((now) => ({ ...space, now }))
const lost = afterEvents(NO_LOSS, [unparsed], inTurn)

test('a child that continues its turn after a loss is stuck 5 seconds after its interrupt, which is said once', () => {
  const looks = looksAt(1_000, 5_999, 6_000, 12_000)
  expect(verdictsOf(lost, ...looks)).toEqual(['nothing', 'nothing', 'stuck', 'nothing'])
  expect(verdictsOf(afterEvents(lost, [text], inTurn), ...looks)).toContain('stuck')
})

test('a child that lost nothing is not stuck, for however long it is busy', () => {
  expect(verdictsOf(NO_LOSS, ...looksAt(0, 20_000))).toEqual(['nothing', 'nothing'])
})

test('a second loss does not begin the 5 seconds anew', () => {
  const [first] = looksAt(1_000)
  if (!first) throw new Error('no look')
  const again = afterEvents(afterCheck(lost, first).state, [unparsed], inTurn)
  expect(verdictsOf(again, ...looksAt(6_000))).toEqual(['stuck'])
})

test('the 5 seconds begin when the child was given its interrupt', () => {
  const behind = looksAt(1_000, 7_000).map((look) => ({ ...look, upToDate: false }))
  expect(verdictsOf(lost, ...behind, ...looksAt(8_000, 12_999, 13_000))).toEqual([
    'nothing',
    'nothing',
    'nothing',
    'nothing',
    'stuck',
  ])
})

test('a child whose turn has ended is not stuck, also when somebody else ended it', () => {
  for (const events of [[ended], []]) {
    const rested = afterEvents(lost, events, idle)
    const nextTurn = afterEvents(rested, [text], inTurn)
    expect(verdictsOf(nextTurn, ...looksAt(1_000, 20_000))).toEqual(['nothing', 'nothing'])
  }
})

test('a child that rests after its interrupt has the full time after the next loss', () => {
  const [first] = looksAt(1_000)
  if (!first) throw new Error('no look')
  const rested = afterEvents(afterCheck(lost, first).state, [ended], idle)
  const again = afterEvents(rested, [unparsed], inTurn)
  expect(verdictsOf(again, ...looksAt(9_000, 13_999, 14_000))).toEqual(['nothing', 'nothing', 'stuck'])
})

test('a loss between two turns does not make the next turn stuck', () => {
  const between = afterEvents(NO_LOSS, [unparsed], idle)
  expect(verdictsOf(afterEvents(between, [started], inTurn), ...looksAt(0, 20_000))).not.toContain('stuck')
})

test('a child that has begun another turn is not stuck, unless an agent of before is still there', () => {
  for (const [state, verdict] of [
    [inTurn, 'nothing'],
    [withAgent, 'stuck'],
  ] as const) {
    const loss = afterEvents(NO_LOSS, [unparsed, ended, started], state)
    expect(verdictsOf(loss, ...looksAt(0, 5_000))).toEqual(['nothing', verdict])
  }
})
