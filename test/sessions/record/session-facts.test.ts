import { describe, expect, test } from 'vitest'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import { evolve } from '../../../src/sessions/record/evolve-session.ts'
import { initialSessionState, isBusy, type SessionState } from '../../../src/sessions/record/session-state.ts'
import {
  accepted,
  agentStarted,
  allow,
  opened,
  said,
  settled,
  turnEnded,
} from '../../rig/cli/event-stories.ts'
import { asGrantId, asRunId } from '../../rig/tools/ids.ts'

const fold = (...events: SessionEvent[]): SessionState => events.reduce(evolve, initialSessionState)
const run: SessionEvent = { type: 'run.started', runId: asRunId('r'), rules: ['Read'], notes: true }
const began = (more: object = {}): SessionEvent => ({ type: 'turn.started', cliSessionId: 's', ...more })
const echo: SessionEvent = { type: 'prompt.echoed', promptId: 'p' }
const turn = [run, accepted('p'), began(), echo]
const shell: SessionEvent = { ...agentStarted('x'), kind: 'local_bash' }

test('a new session knows nothing, was not stopped, and its process was given nothing', () => {
  expect(initialSessionState).toMatchObject({ given: [], takesNotes: false, knows: [], stopped: false })
  expect(fold({ type: 'run.started', runId: asRunId('r') })).toMatchObject({ given: [], takesNotes: false })
})

test('what a process was given is known until its end', () => {
  expect(fold(run)).toMatchObject({ runId: asRunId('r'), given: ['Read'], takesNotes: true })
  const over = fold(run, shell, agentStarted('a'), { type: 'run.ended', runId: asRunId('r') })
  expect(over).toMatchObject({ given: [], takesNotes: false, shells: [], agents: [] })
  expect(over.runId).toBeUndefined()
})

test('an answer that an older version remembered gave the process its rules too', () => {
  const rule = { toolName: 'Bash', subject: 'date', rules: ['Bash(date)'], remember: 'suggested' }
  const remembered = { ...settled('1', allow), remembered: { id: asGrantId('g'), rule } }
  expect(fold(run, opened('1', 't'), remembered).given).toEqual(['Read', 'Bash(date)'])
  expect(fold(run, opened('1', 't'), settled('1', allow)).given).toEqual(['Read'])
})

test.each<[string, SessionEvent[], boolean]>([
  ['new', [], false],
  ['in a turn', turn, true],
  ['waiting for an answer', [...turn, opened('1', 't'), turnEnded()], true],
  ['done', [...turn, turnEnded()], false],
])('whether a session that is %s is busy', (_, events, busy) => {
  expect(isBusy(fold(...events))).toBe(busy)
})

test('an event that says nothing about the session leaves its state the same object', () => {
  const state = fold(...turn)
  expect(evolve(state, { type: 'text.streamed', text: 'a' })).toBe(state)
  expect(evolve(state, { type: 'grant.expired', grantId: asGrantId('g') })).toBe(state)
  expect(evolve(state, { type: 'grant.narrowed', grantId: asGrantId('g'), rules: [], rule: {} })).toBe(state)
})

test('a session that was stopped is so until something is said to it', () => {
  const stopped = fold(...turn, turnEnded(), { type: 'session.stopped' })
  expect(stopped).toMatchObject({ stopped: true, turn: 1, outcome: 'done' })
  expect(evolve(stopped, accepted('q'))).toMatchObject({ stopped: false, turn: 2, inTurn: true })
})

const news = (name: string): SessionEvent => ({ type: 'below.seen', news: name })

test('a session knows what it saw below itself and what it was woken for, the latest 500', () => {
  const woken = { ...accepted('p'), wakesFor: 'question' }
  expect(fold(news('a'), woken, accepted('q'))).toMatchObject({ knows: ['a', 'question'], turn: 1 })
  const many = fold(...Array.from({ length: 501 }, (_, at) => news(String(at))))
  expect(many.knows).toHaveLength(500)
  expect([many.knows[0], many.knows.at(-1)]).toEqual(['1', '500'])
})

const back = (promptId: string): SessionEvent => ({ type: 'prompt.withdrawn', promptId })

test('a prompt that waits for its turn begins it, and others that come meanwhile begin none', () => {
  const inLine = [...turn, accepted('q'), turnEnded(), accepted('r')]
  expect(fold(...inLine)).toMatchObject({ turn: 1, inTurn: false })
  const both = [accepted('p'), accepted('q')]
  expect(fold(...both, back('p'))).toMatchObject({ inTurn: true, outcome: 'idle' })
  expect(fold(...both, back('p'), back('q'))).toMatchObject({ inTurn: false, outcome: 'interrupted' })
})

const report = (contextWindows?: Record<string, number>): EventOf<'cost.reported'> => ({
  type: 'cost.reported',
  total: 0,
  inputTokens: 0,
  outputTokens: 0,
  ...(contextWindows ? { contextWindows } : {}),
})

describe('mode, model and context', () => {
  test('are the last that were chosen or reported', () => {
    const reported = fold(...turn, began({ model: 'm', permissionMode: 'plan', workingDirectory: '/a' }))
    expect(reported).toMatchObject({ model: 'm', permissionMode: 'plan', workingDirectory: '/a' })
    expect(evolve(reported, { type: 'mode.changed', mode: 'default' }).permissionMode).toBe('default')
    const chosen = evolve(reported, { type: 'model.chosen', model: 'opus' })
    expect(chosen).toMatchObject({ chosenModel: 'opus', model: 'm' })
    expect(evolve(reported, { type: 'conversation.cleared' })).toMatchObject({ model: 'm', turn: 1 })
  })

  test('the window is that of the model of the turn', () => {
    const small = fold(began({ model: 'm' }), report({ m: 200, other: 1 }))
    expect(small.contextWindow).toBe(200)
    expect(evolve(small, report()).contextWindow).toBe(200)
    expect(evolve(small, report({ other: 1 })).contextWindow).toBe(200)
    expect(evolve(small, report({ m: 900 })).contextWindow).toBe(900)
  })

  test('only a message of the main conversation that can be found again is a place to fork', () => {
    const first = fold(...turn, { ...said('1'), contextTokens: 900 })
    expect(first).toMatchObject({ assistantUuid: 'uuid-1', contextTokens: 900 })
    expect(evolve(first, { ...said('2'), parent: 'agent', contextTokens: 5 })).toBe(first)
    expect(evolve(first, { type: 'text', text: '', contextTokens: 5 })).toBe(first)
    expect(evolve(first, said('2'))).toMatchObject({ assistantUuid: 'uuid-2', contextTokens: 900 })
    expect(fold({ ...said('1'), contextTokens: 900 }, began()).contextTokens).toBe(900)
  })
})

const ENDED = { code: 'cli_failed', message: expect.stringContaining('before its turn') as string }
const failure = { code: 'cli_failed', message: 'gone' }
const agentLeft = [...turn, agentStarted('a'), turnEnded()]

test.each<[string, SessionEvent[], object, object]>([
  ['new', [run], {}, { outcome: 'idle', error: undefined }],
  ['new, stopped', [run], { stopped: true }, { outcome: 'idle', error: undefined }],
  ['new, failing', [run], { error: failure }, { outcome: 'failed', error: failure }],
  ['done', [...turn, turnEnded()], {}, { outcome: 'done', error: undefined }],
  ['left with an agent', agentLeft, {}, { outcome: 'failed', error: ENDED }],
  ['left with an agent, stopped', agentLeft, { stopped: true }, { outcome: 'interrupted' }],
  ['in a turn', turn, {}, { outcome: 'failed', error: ENDED, inTurn: false, started: false }],
  ['in a turn, stopped', turn, { stopped: true }, { outcome: 'interrupted', inTurn: false }],
  ['in a turn of its own', [run, began()], {}, { outcome: 'failed', error: ENDED }],
  ['in a turn, with a prompt in line', [...turn, accepted('q')], {}, { outcome: 'failed', inTurn: false }],
  ['given a prompt', [run, accepted('p')], {}, { outcome: 'idle', inTurn: true }],
  ['given a prompt, stopped', [run, accepted('p')], { stopped: true }, { outcome: 'interrupted' }],
])('the process of a session ends that is %s', (_, events, how, expected) => {
  expect(fold(...events, { type: 'run.ended', runId: asRunId('r'), ...how })).toMatchObject(expected)
})
