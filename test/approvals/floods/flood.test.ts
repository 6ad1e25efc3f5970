import { describe, expect, test } from 'vitest'
import { asksPerson } from '../../../src/approvals/floods/asks-person.ts'
import {
  countAsked,
  type Flood,
  FLOOD_LIMITS,
  isHeld,
  NO_FLOOD,
  show,
} from '../../../src/approvals/floods/flood.ts'
import { FLOOD_INPUT, floodChoice, floodText } from '../../../src/approvals/floods/flood-question.ts'
import { isHeldBackFrom, shownToOthers, shownToPerson } from '../../../src/approvals/floods/person-view.ts'
import { questionsOf } from '../../../src/approvals/question.ts'
import { AppError } from '../../../src/base/errors.ts'
import { anApproval } from '../../contracts/rows.ts'

const limits = { perTurn: 3, perMinute: 2 }

/** After questions were asked at these times, in this turn. */
const after = (times: readonly number[], turn = 1, from: Flood = NO_FLOOD) =>
  times.reduce((flood, at) => countAsked(flood, { turn, at, held: 0 }), from)

const next = (flood: Flood, more: { turn?: number; at?: number; held?: number } = {}) =>
  isHeld(flood, { turn: 1, at: 0, held: 0, ...more }, limits)

const times = (count: number, apart: number) => Array.from({ length: count }, (_, n) => n * apart)

const isNext = (count: number, apart: number) =>
  isHeld(after(times(count, apart)), { turn: 1, at: count * apart, held: 0 }, FLOOD_LIMITS)

describe('a question is held back', () => {
  test('once enough were asked within a minute, in either direction of the clock', () => {
    expect(next(after([0]), { at: 1 })).toBe(false)
    expect(next(after([0, 1]), { at: 2 })).toBe(true)
    expect(next(after([0, 1]), { at: 59_999 })).toBe(true)
    expect(next(after([0, 1]), { at: 60_000 })).toBe(false)
    expect(next(after([60_000, 60_001]), { at: 2 })).toBe(true)
    expect(next(after([60_000, 60_001]), { at: 0 })).toBe(false)
  })

  test('once enough were asked in the turn, however slowly; a new turn begins anew', () => {
    const slowly = after([0, 100_000, 200_000])
    expect(next(after([0, 100_000]), { at: 300_000 })).toBe(false)
    expect(next(slowly, { at: 300_000 })).toBe(true)
    expect(next(slowly, { at: 300_000, turn: 2 })).toBe(false)
    const newTurn = after([300_000], 2, slowly)
    expect(next(newTurn, { at: 400_000, turn: 2 })).toBe(false)
    expect(newTurn.inTurn).toBe(1)
  })

  test('while others are: what was asked first is shown first', () => {
    expect(next(NO_FLOOD, { held: 1 })).toBe(true)
    expect(next(NO_FLOOD)).toBe(false)
  })

  test('after 50 in a turn or 20 in a minute', () => {
    expect([isNext(19, 1), isNext(20, 1), isNext(49, 60_000), isNext(50, 60_000)]).toEqual([
      false,
      true,
      false,
      true,
    ])
  })
})

describe('what a person wants to see is shown', () => {
  const shown = show(after([0]))

  const showing = (turn: number, held: number) => countAsked(shown, { turn, at: 1, held }).showing

  test('in the same turn, and in the next one as long as something is held back', () => {
    expect([showing(1, 0), showing(1, 1), showing(2, 1), showing(2, 0)]).toEqual([true, true, true, false])
    expect(countAsked(NO_FLOOD, { turn: 1, at: 1, held: 1 }).showing).toBe(false)
  })

  test('and asking for it twice changes nothing', () => {
    expect(shown.showing).toBe(true)
    expect(show(shown)).toBe(shown)
  })

  test('the times that are kept have a limit, and the latest are kept', () => {
    const { lately } = after(Array.from({ length: 1_100 }, (_, n) => n))
    expect([lately.length, lately[0], lately.at(-1)]).toEqual([1_000, 100, 1_099])
    expect(NO_FLOOD.lately).toEqual([])
  })
})

describe('the question that stands for all that is held back', () => {
  test('asks for one of two answers', () => {
    const asked = anApproval({ kind: 'question', toolName: 'Plexus asks', input: FLOOD_INPUT })
    expect(questionsOf(asked)).toMatchObject([{ options: ['show', 'deny them all'], multiSelect: false }])
    expect(floodText(1)).toBe('1 more question is waiting: show it, or deny it?')
    expect(floodText(7)).toBe('7 more questions are waiting: show them, or deny them all?')
  })

  test('is answered by one of them, or by a no, which denies them all', () => {
    expect(floodChoice({ answers: ['show'] })).toBe('show')
    expect(floodChoice({ answers: ['deny them all'] })).toBe('deny')
    expect(floodChoice({ approve: false })).toBe('deny')
  })

  test.each<Parameters<typeof floodChoice>[0]>([
    {},
    { approve: true },
    { answers: [] },
    { answers: ['allow'] },
    { answers: ['show', 'show'] },
    { answers: ['show'], approve: true },
    { answers: ['show'], approve: false },
    { answers: ['deny them all'], approve: false },
    { answers: ['show'], dismiss: true },
    { approve: false, dismiss: true },
    { dismiss: true },
  ])('is answered by nothing else: %j', (answer) => {
    expect(() => floodChoice(answer)).toThrow(AppError)
    expect(() => floodChoice(answer)).toThrow(
      expect.objectContaining({ code: 'invalid_input', data: { options: ['show', 'deny them all'] } }),
    )
  })
})

const ids = (all: readonly { id: number }[]) => all.map(({ id }) => id)

describe('what is held back', () => {
  const open = [
    { id: 1, sessionId: 'a' },
    { id: 2, sessionId: 'a', flood: true as const },
    { id: 3, sessionId: 'a', held: true as const },
    { id: 4, sessionId: 'b', held: true as const },
    { id: 5, sessionId: 'a', held: true as const },
  ]

  test('is not shown to a person, but for the oldest of a session that the person wants to see', () => {
    expect(ids(shownToPerson(open, () => false))).toEqual([1, 2])
    expect(ids(shownToPerson(open, (id) => id === 'a'))).toEqual([1, 2, 3])
    expect(ids(shownToPerson(open, () => true))).toEqual([1, 2, 3, 4])
  })

  test('is shown to all others, without the question that stands for it', () => {
    expect(ids(shownToOthers(open))).toEqual([1, 3, 4, 5])
  })

  test('is held back from a person at a face of Plexus, and from no program or model', () => {
    const faces = ['form', 'command_line', 'page', 'terminal']
    expect(faces.map((via) => isHeldBackFrom({ person: true, via }))).toEqual([true, true, true, true])
    expect(faces.map((via) => isHeldBackFrom({ person: false, via }))).toEqual([false, false, false, false])
    expect(['tool', 'rpc', undefined].map((via) => isHeldBackFrom({ person: true, via }))).toEqual([
      false,
      false,
      false,
    ])
  })
})

test('a person is asked first by a session that a person started, or where the start says so', () => {
  expect(asksPerson({})).toBe(true)
  expect(asksPerson({ timeoutMs: 0 })).toBe(true)
  expect(asksPerson({ timeoutMs: 5 })).toBe(false)
  expect(asksPerson({ parentId: 'p' })).toBe(false)
  expect(asksPerson({ parentId: 'p', timeoutMs: 5, answerers: 'person' })).toBe(true)
  expect(asksPerson({ parentId: 'p', answerers: 'anyone' })).toBe(false)
  expect(asksPerson({ parentId: 'p', ask: 'both' })).toBe(true)
  expect(asksPerson({ parentId: 'p', ask: 'model' })).toBe(false)
})
