import { expect, test } from 'vitest'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { checkpointOf, stateFrom } from '../../src/sessions/record/checkpoint.ts'
import { narrowGrants, SessionGrants } from '../../src/sessions/in-advance/session-grants.ts'
import { evolve, initialSessionState, type SessionState } from '../../src/sessions/record/session-state.ts'
import { allow, finished, opened, settled } from '../rig/cli/event-stories.ts'
import { asGrantId, asRunId, asSessionId } from '../rig/tools/ids.ts'

const cwd = '/project'
const grant = (id: string, subject: string, ...rules: string[]) => ({
  id: asGrantId(id),
  by: 'ann',
  rule: { toolName: 'Bash', subject, folder: cwd, rules, remember: 'suggested' },
})
const touch = grant('1', 'touch a', 'Bash(touch a *)')
const push = grant('2', 'git push', 'Bash(git push *)')
const bash = (command: string) => ({ toolName: 'Bash', input: { command }, cwd })

test('a rule that was taken back is minded as long as a process has it, by the next hub too', () => {
  let state: SessionState = initialSessionState
  const happens = (...events: SessionEvent[]) => (state = events.reduce(evolve, state))
  const grants = new SessionGrants(() => state)
  grants.grants = [push]
  expect(grants.rules).toEqual(['Bash(git push *)'])
  happens({ type: 'run.started', runId: asRunId('r1'), rules: grants.rules })
  happens(opened('1', 'tool-1'), { ...settled('1', allow), remembered: touch }, finished('1'))
  grants.grants = [push, touch]
  expect(grants.grantOf(bash('touch a'))).toBe(touch)
  expect(grants.isRevoked(bash('touch a b'))).toBe(false)
  grants.grants = []
  state = stateFrom(checkpointOf(state))
  expect(grants.grantOf(bash('touch a'))).toBeUndefined()
  const commands = ['touch a b', 'git push', 'ls'].map(bash)
  expect(commands.map((call) => grants.isRevoked(call))).toEqual([true, true, false])
  happens({ type: 'run.ended', runId: asRunId('r1') })
  expect(commands.map((call) => grants.isRevoked(call))).toEqual([false, false, false])
})

const seen = (toolUseId: string, folder: object): SessionEvent => {
  const call = { requestId: `hook-${toolUseId}`, toolUseId, toolName: 'Bash', opinion: 'none' } as const
  return { type: 'tool.seen', ...call, ...folder }
}

const asked = (toolUseId?: string) => ({ toolName: 'Bash', input: { command: 'touch a' }, toolUseId })

test('S26: the folder of a call is what our hook received for it, and a call without a folder is not granted', () => {
  const events = [seen('here', { cwd }), seen('there', { cwd: '/other' }), seen('nowhere', {})]
  const state = events.reduce(evolve, initialSessionState)
  const grants = new SessionGrants(() => state)
  grants.grants = [touch]
  const calls = [asked('here'), asked('there'), asked('nowhere'), asked('unseen'), asked()]
  expect(calls.map((call) => grants.grantOf(call) !== undefined)).toEqual([true, false, false, false, false])
})

test('a session begins without grants, and a grant that is added counts at once', () => {
  const grants = new SessionGrants(() => initialSessionState)
  expect(grants.grants).toEqual([])
  grants.add(push)
  grants.add(touch)
  expect(grants.grants).toEqual([push, touch])
  expect(grants.grantOf(bash('touch a'))).toBe(touch)
})

test('a grant of an older version holds only for the exact call in the folder of the session, which is on record', () => {
  const about = { sessionId: asSessionId('s'), by: 'ann', at: 1 }
  const old = {
    ...about,
    id: asGrantId('1'),
    rule: { toolName: 'Bash', subject: 'touch a', rules: ['Bash(touch *)'] },
  }
  const chosen = { ...about, ...push }
  const rule = { toolName: 'Bash', subject: 'touch a', folder: cwd, rules: [], remember: 'session' }
  expect(narrowGrants([old, chosen], cwd)).toEqual({
    grants: [{ ...old, rule }, chosen],
    events: [{ type: 'grant.narrowed', grantId: asGrantId('1'), rules: ['Bash(touch *)'], rule }],
  })
})
