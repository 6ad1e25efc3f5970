import { array, assert, boolean, constantFrom, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterSign, newTerminalQuestion, type Sign } from '../../../src/engine/terminals/question-end.ts'

const waiting: Sign = { type: 'status', isWaiting: true, isSpent: false }
const spent: Sign = { type: 'status', isWaiting: true, isSpent: true }
const working: Sign = { type: 'status', isWaiting: false, isSpent: false }
const deadline: Sign = { type: 'deadline' }
const gone: Sign = { type: 'relay gone' }
const over: Sign = { type: 'call over', byHook: false }
const hook: Sign = { type: 'call over', byHook: true }

const ofMain = { isAgent: false, isAlone: true }
const ofAgent = { isAgent: true, isAlone: true }
const ofAgentAmongOthers = { isAgent: true, isAlone: false }

type Kind = typeof ofMain
const endOf = (kind: Kind, signs: readonly Sign[]) => signs.reduce(afterSign, newTerminalQuestion(kind)).end

const THERE = 'answered in the terminal'
const LEFT = 'left to the terminal'

const TABLE: readonly [string, Kind, readonly Sign[], string | undefined][] = [
  ['its dialog is on the screen', ofMain, [working, waiting, deadline], undefined],
  ['its dialog was there before it was asked', ofMain, [waiting, deadline], undefined],
  ['the terminal waits no more', ofMain, [waiting, working], THERE],
  ['the terminal waits no more, after the deadline', ofMain, [waiting, deadline, working], THERE],
  ['it has no dialog in time', ofMain, [working, deadline], LEFT],
  ['nothing is known of it in time', ofMain, [deadline], LEFT],
  ['the terminal still says what it said of the question before', ofMain, [spent, working], undefined],
  ['the terminal says the same since the question before', ofMain, [spent, deadline], undefined],
  ['that ends', ofMain, [spent, deadline, working], THERE],
  ['it is asked by an agent with a dialog', ofAgent, [waiting, deadline], undefined],
  ['it is asked by an agent in the background', ofAgent, [working, deadline], LEFT],
  ['an agent asks while another dialog is there', ofAgentAmongOthers, [waiting, deadline], LEFT],
  ['an agent asks, and the dialog before is still there', ofAgent, [spent, deadline], LEFT],
  ['its relay goes', ofMain, [waiting, gone], THERE],
  ['its relay goes before anything is seen', ofMain, [gone], THERE],
  ['its call has a result', ofMain, [waiting, over], THERE],
  ['a hook has decided', ofMain, [waiting, hook], 'decided by a hook'],
  ['a hook has decided before there was a dialog', ofMain, [hook, deadline], 'decided by a hook'],
]

describe('a question of a terminal', () => {
  test.each(TABLE)('when %s', (_, kind, signs, end) => {
    expect(endOf(kind, signs)).toBe(end)
  })
})

const anySign = constantFrom(waiting, spent, working, deadline, gone, over, hook)
const anyKind = record({ isAgent: boolean(), isAlone: boolean() })

test('its end is final, whatever is seen later', () => {
  assert(
    property(anyKind, array(anySign), array(anySign), (kind, before, after) => {
      const first = endOf(kind, before)
      const last = endOf(kind, [...before, ...after])
      expect(first === undefined || last === first).toBe(true)
    }),
  )
})

test('no dialog is held back: after the deadline it is over, or the terminal was seen to wait', () => {
  assert(
    property(anyKind, array(anySign), (kind, signs) => {
      const hasWaited = signs.some((sign) => sign.type === 'status' && sign.isWaiting)
      expect(hasWaited || endOf(kind, [...signs, deadline]) !== undefined).toBe(true)
    }),
  )
})

test('an agent in the background is never held on the word of a dialog that may be of another question', () => {
  assert(
    property(array(constantFrom(waiting, spent, working)), (signs) => {
      expect(endOf(ofAgentAmongOthers, [...signs, deadline])).toBe(LEFT)
    }),
  )
})

test('while the terminal waits for it, nothing but the relay and the transcript ends it', () => {
  assert(
    property(array(constantFrom(waiting, spent, deadline)), (more) => {
      expect(endOf(ofMain, [waiting, ...more])).toBe(undefined)
    }),
  )
})
