/** The state of a session whose conversation a process outside has. */
import { describe, expect, test } from 'vitest'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import { evolve } from '../../../src/sessions/record/evolve-session.ts'
import {
  initialSessionState,
  type SessionState,
  statusOf,
} from '../../../src/sessions/record/session-state.ts'
import { accepted, turnEnded } from '../../rig/cli/event-stories.ts'

const fold = (...events: SessionEvent[]): SessionState => events.reduce(evolve, initialSessionState)
const PROCESS = { pid: 7, startedAt: 'then' }
const given = (
  to: 'command' | 'terminal',
  more: Partial<EventOf<'session.handed_over'>> = {},
): SessionEvent => ({ type: 'session.handed_over', to, ...PROCESS, ...more })
const found = given('terminal', { found: true })
const back = (more: Partial<EventOf<'session.returned'>> = {}): SessionEvent => ({
  type: 'session.returned',
  ...more,
})
const says = (status: EventOf<'terminal.changed'>['status'], waitingFor?: string): SessionEvent => ({
  type: 'terminal.changed',
  status,
  ...(waitingFor === undefined ? {} : { waitingFor }),
})
const stopped: SessionEvent = { type: 'session.stopped' }
const turn: SessionEvent[] = [accepted('p'), { type: 'prompt.echoed', promptId: 'p' }, turnEnded()]

describe('a conversation that is handed over', () => {
  test('is a turn of its own, and of the process that has it', () => {
    const state = fold(...turn, stopped, given('terminal'))
    expect(state).toMatchObject({ turn: 2, inTurn: true, started: true, stopped: false, terminal: false })
    expect(state.outside).toStrictEqual({ to: 'terminal', ...PROCESS })
    expect(statusOf(state)).toBe('running')
  })

  test('in the middle of a turn continues that turn', () => {
    const asking = accepted('p')
    expect(fold(asking, given('command'))).toMatchObject({ turn: 1, inTurn: true, started: true })
  })

  test.each<[string, Parameters<typeof back>[0], string]>([
    ['command', {}, 'done'],
    ['command', { exitCode: 1 }, 'failed'],
    ['command', { signal: 'SIGINT' }, 'interrupted'],
    ['terminal', { exitCode: 1 }, 'done'],
  ])('and returned by a %s with %j is %s', (to, end, outcome) => {
    const state = fold(...turn, given(to as 'command' | 'terminal'), back(end))
    expect(state).toMatchObject({ outcome, outside: undefined, inTurn: false, started: false })
    expect(statusOf(state)).toBe(outcome)
    // A command is over for good; a conversation that was in a terminal is idle here again.
    expect([state.stopped, state.endedOutside]).toEqual(to === 'command' ? [true, true] : [false, false])
  })

  test('comes back under the id that it has there, and nothing is known of its context', () => {
    const began: SessionEvent = { type: 'turn.started', cliSessionId: 'before' }
    const text: SessionEvent = { type: 'text', text: 't', uuid: 'u', contextTokens: 5 }
    const handed = fold(accepted('p'), began, text, turnEnded(), given('terminal'))
    expect(evolve(handed, back())).toMatchObject({
      cliSessionId: 'before',
      contextTokens: undefined,
      assistantUuid: undefined,
    })
    expect(evolve(handed, back({ cliSessionId: 'after' })).cliSessionId).toBe('after')
  })

  test('that is stopped here was not ended outside', () => {
    const ended = fold(given('command'), back())
    expect(ended).toMatchObject({ stopped: true, endedOutside: true })
    expect(evolve(ended, stopped)).toMatchObject({ stopped: true, endedOutside: false })
    expect(initialSessionState).toMatchObject({ stopped: false, endedOutside: false, terminal: false })
  })
})

describe('a terminal', () => {
  test.each<[EventOf<'terminal.changed'>['status'], string]>([
    ['idle', 'idle'],
    ['shell', 'idle'],
    ['busy', 'running'],
    ['waiting', 'waiting'],
  ])('that says %s is %s here', (status, here) => {
    const state = fold(found, says(status, 'a dialog'))
    expect(statusOf(state)).toBe(here)
    expect(state.outside).toMatchObject({ to: 'terminal', found: true, status, waitingFor: 'a dialog' })
  })

  test('is believed only while it has the conversation', () => {
    const command = fold(given('command'))
    expect(evolve(command, says('idle'))).toEqual(command)
    const idle = fold(...turn)
    expect(evolve(idle, says('busy'))).toEqual(idle)
  })

  test.each<[string, SessionEvent[], boolean]>([
    ['was found by the hub before any turn', [found], true],
    ['was found in a session of ours', [given('terminal', { found: true, own: true })], false],
    ['was found after a turn', [...turn, found], false],
    ['was given the conversation', [given('terminal')], false],
    ['was found, and again after its end', [found, back(), found], true],
  ])('that %s is a session of its own: %s', (_, events, isTerminal) => {
    expect(fold(...events).terminal).toBe(isTerminal)
  })

  test('of its own is over for good at its end, until something is said to it here', () => {
    const ended = fold(found, back())
    expect(ended).toMatchObject({ terminal: true, stopped: true, endedOutside: true })
    expect(evolve(ended, accepted('p'))).toMatchObject({ terminal: false, stopped: false })
  })
})
