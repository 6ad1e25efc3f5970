import { expect, test } from 'vitest'
import { initialRunState, type RunState } from '../../../src/child/state/run-state.ts'
import { checkpointOf, stateFrom } from '../../../src/sessions/record/checkpoint.ts'
import { initialSessionState, type SessionState } from '../../../src/sessions/record/session-state.ts'

const quiet: SessionState = { ...initialSessionState, turn: 3, outcome: 'done', model: 'opus' }
const open = (fields: Partial<RunState>): Partial<SessionState> => ({
  open: { ...initialRunState, ...fields },
})

test('a state in which nothing is open is stored without what is open, and comes back whole', () => {
  const checkpoint = checkpointOf(quiet)
  expect(checkpoint).toMatchObject({ turn: 3, outcome: 'done', model: 'opus' })
  expect(checkpoint).not.toHaveProperty('open')
  expect(stateFrom(checkpoint)).toEqual(quiet)
})

test('what an older checkpoint does not have is as in a new session', () => {
  expect(stateFrom({ turn: 3 })).toEqual({ ...initialSessionState, turn: 3 })
  expect(stateFrom(undefined)).toEqual(initialSessionState)
})

test('the cost of a checkpoint of an earlier version is read by the name that it had there', () => {
  const cost = { usd: 3, reported: 2, continues: true }
  expect(stateFrom({ cost: { usd: 3, told: 2, continues: true } }).cost).toEqual(cost)
  expect(stateFrom(checkpointOf({ ...quiet, cost })).cost).toEqual(cost)
})

const MAPS = ['prompts', 'hooks', 'returned', 'approvals', 'seen', 'unseen'] as const

test.each<[string, Partial<SessionState>]>([
  ['a turn', { inTurn: true }],
  ['an agent', { agents: ['a'] }],
  ['a shell', { shells: ['s'] }],
  ['a request that we do not know', open({ unknown: ['r'] })],
  ...MAPS.map((name): [string, Partial<SessionState>] => [
    name,
    open({ [name]: new Map([['x', undefined]]) }),
  ]),
  ['a server that is not ours', open({ cutOff: true })],
  ['a line of the turn that could not be read', open({ damage: 1 })],
  ['a line of the run that could not be read', open({ unread: 1 })],
  ['a tool that ran past us', open({ unguarded: 1 })],
  ['an echo whose turn has not ended', open({ echoed: true })],
])('there is no checkpoint while there is %s', (_, more) => {
  expect(checkpointOf({ ...quiet, ...more })).toBeUndefined()
})
