import { expect, test } from 'vitest'
import { AppError } from '../../../src/base/errors.ts'
import type { RunEnd } from '../../../src/child/process/run-end.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import {
  canContinue,
  errorOf,
  eventsOfEnd,
  eventsOfNoStart,
  reasonOf,
  type RunEnding,
} from '../../../src/sessions/run/run-end-events.ts'
import { evolve } from '../../../src/sessions/record/evolve-session.ts'
import { initialSessionState, statusOf } from '../../../src/sessions/record/session-state.ts'
import { accepted, turnEnded } from '../../rig/cli/event-stories.ts'
import { asRunId } from '../../rig/tools/ids.ts'

const well: RunEnd = { kind: 'exited', code: 0 }
const badly: RunEnd = { kind: 'exited', code: 1 }
const killed: RunEnd = { kind: 'killed', signal: 'SIGKILL' }
const lost: RunEnd = { kind: 'lost', reason: 'keeper_gone' }
const ending = (end: RunEnd, more: Partial<RunEnding> = {}): RunEnding => ({
  end,
  stderr: '',
  stopped: false,
  lived: true,
  restarts: 0,
  ...more,
})

test.each<[string, RunEnding, boolean]>([
  ['that ended well', ending(well), true],
  ['that failed', ending(badly), false],
  ['that was killed', ending(killed), false],
  ['that was killed before it lived', ending(killed, { lived: false }), false],
  ['that failed before it lived', ending(badly, { lived: false }), false],
  ['that was lost before it lived', ending(lost, { lived: false }), true],
  ['that was lost in its life', ending(lost), false],
  ['that we ended', ending(well, { stopped: true }), false],
  ['that we had to end', ending(well, { failure: 'It could not ask.' }), false],
  ['that ended well for the third time', ending(well, { restarts: 2 }), false],
])('whether the next process takes over from one %s', (_, how, expected) => {
  expect(canContinue(how)).toBe(expected)
})

const run: SessionEvent = { type: 'run.started', runId: asRunId('r') }
const began: SessionEvent[] = [
  { type: 'turn.started', cliSessionId: 's' },
  { type: 'prompt.echoed', promptId: 'p' },
]
const agent: SessionEvent = { type: 'task.started', taskId: 't', kind: 'local_agent', description: '' }
const shell: SessionEvent = { ...agent, kind: 'local_bash' }

test.each<[string, SessionEvent[], RunEnding, string]>([
  ['idle and ends well', [], ending(well), 'idle'],
  ['idle and is killed', [], ending(killed), 'idle'],
  ['between two turns and is killed', [accepted('p'), ...began, turnEnded()], ending(killed), 'done'],
  ['left with a shell and is killed', [accepted('p'), ...began, shell, turnEnded()], ending(killed), 'done'],
  [
    'left with an agent and is killed',
    [accepted('p'), ...began, agent, turnEnded()],
    ending(killed),
    'failed',
  ],
  ['in a turn and ends well', [accepted('p'), ...began], ending(well), 'failed'],
  ['in a turn and is killed', [accepted('p'), ...began], ending(killed), 'failed'],
  ['in a turn and is stopped', [accepted('p'), ...began], ending(well, { stopped: true }), 'interrupted'],
  ['given a prompt and ends well', [accepted('p')], ending(well), 'running'],
  ['given a prompt and never lived', [accepted('p')], ending(lost, { lived: false }), 'running'],
  ['given a prompt and fails', [accepted('p')], ending(badly), 'failed'],
  ['given a prompt and is stopped', [accepted('p')], ending(well, { stopped: true }), 'interrupted'],
  ['given a prompt, ending well again and again', [accepted('p')], ending(well, { restarts: 2 }), 'failed'],
  [
    'between two turns with a prompt in line and fails',
    [accepted('p'), ...began, accepted('q'), turnEnded()],
    ending(badly),
    'failed',
  ],
])('a session whose process is %s', (_, before, how, status) => {
  const state = [run, ...before].reduce(evolve, initialSessionState)
  const events = eventsOfEnd(state, how)
  const after = events.reduce(evolve, state)
  expect(statusOf(after)).toBe(status)
  expect(after.error === undefined).toBe(status !== 'failed')
  // A session that is not running owes nobody a turn.
  expect(after.open.prompts.size > 0).toBe(status === 'running')
  expect(after.runId).toBeUndefined()
})

test('a failure says what Claude Code said last', () => {
  const state = [run, accepted('p')].reduce(evolve, initialSessionState)
  expect(eventsOfEnd(state, ending(badly, { stderr: 'unknown option --new' }))).toEqual([
    {
      type: 'run.ended',
      runId: asRunId('r'),
      error: { code: 'cli_failed', message: expect.stringContaining('unknown option --new') as string },
    },
    { type: 'prompt.withdrawn', promptId: 'p' },
  ])
})

test('what we had to end for is reported as the reason', () => {
  const state = [run, accepted('p')].reduce(evolve, initialSessionState)
  expect(eventsOfEnd(state, ending(well, { failure: 'It could not ask.' }))).toEqual([
    { type: 'run.ended', runId: asRunId('r'), error: { code: 'cli_failed', message: 'It could not ask.' } },
    { type: 'prompt.withdrawn', promptId: 'p' },
  ])
})

const turn = [accepted('p'), ...began]
const agentLeft = [...turn, agent, turnEnded()]

test.each<[string, SessionEvent[], RunEnding, boolean]>([
  ['idle, killed', [], ending(killed), false],
  ['idle, but busy until we ended it', [], ending(killed, { cutShort: true }), true],
  ['in a turn, killed', turn, ending(killed), true],
  ['idle with an agent, killed', agentLeft, ending(killed), true],
  ['idle, ended by us for a reason', [], ending(well, { failure: 'It could not ask.' }), true],
  ['idle, lost', [], ending(lost), true],
  ['idle, lost before it lived', [], ending(lost, { lived: false }), false],
  ['in a turn, stopped', turn, ending(killed, { stopped: true }), false],
])('whether the end of a process is an error: %s', (_, before, how, isError) => {
  const state = [run, ...before].reduce(evolve, initialSessionState)
  const [ended] = eventsOfEnd(state, how)
  expect(ended).toMatchObject({ type: 'run.ended', runId: asRunId('r') })
  expect(ended && 'error' in ended).toBe(isError)
})

const limit = Object.assign(new Error('spawn'), { code: 'EMFILE' })

test('a process that could not be started withdraws its prompts and says why', () => {
  const state = evolve(initialSessionState, accepted('p'))
  expect(eventsOfNoStart(state, asRunId('r'), new Error('no claude'))).toEqual([
    {
      type: 'run.ended',
      runId: asRunId('r'),
      error: { code: 'cli_failed', message: 'Claude Code could not be started: Error: no claude.' },
    },
    { type: 'prompt.withdrawn', promptId: 'p' },
  ])
})

test('an error of ours keeps its code, and a limit of the system says how to raise it', () => {
  const ours = new AppError('forbidden', 'Trust the folder first.')
  expect(errorOf(ours)).toEqual({ code: 'forbidden', message: 'Trust the folder first.' })
  expect(errorOf(limit)).toEqual({
    code: 'cli_failed',
    message: expect.stringContaining('ulimit -n') as string,
  })
  expect(reasonOf(limit)).toContain('ulimit -n')
  expect([reasonOf(new Error('gone')), reasonOf('gone')]).toEqual(['gone', 'gone'])
})
