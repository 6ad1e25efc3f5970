import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pendingApprovals } from '../../../src/child/state/run-state.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { evolve } from '../../../src/sessions/record/evolve-session.ts'
import {
  initialSessionState,
  type SessionState,
  statusOf,
} from '../../../src/sessions/record/session-state.ts'
import {
  accepted,
  agentStarted,
  allow,
  histories,
  opened,
  seen,
  settled,
  turnEnded,
} from '../../rig/cli/event-stories.ts'
import { asRunId } from '../../rig/tools/ids.ts'
import { runs } from '../../rig/tools/property-runs.ts'

const fold = (...events: SessionEvent[]): SessionState => events.reduce(evolve, initialSessionState)
const run = (id: string): SessionEvent => ({ type: 'run.started', runId: asRunId(id) })
const over = (id: string): SessionEvent => ({ type: 'run.ended', runId: asRunId(id) })
const began = (cliVersion = '2.1.197'): SessionEvent => ({
  type: 'turn.started',
  cliSessionId: 's',
  cliVersion,
})
const echo = (promptId: string): SessionEvent => ({ type: 'prompt.echoed', promptId })
const outdated = (runId: string): SessionEvent => ({
  type: 'run.outdated',
  runId: asRunId(runId),
  protection: 1,
  needed: 2,
})
const back = (promptId: string): SessionEvent => ({ type: 'prompt.withdrawn', promptId })
const shell: SessionEvent = { ...agentStarted('x'), kind: 'local_bash' }
const agentEnded: SessionEvent = { type: 'task.ended', taskId: 'task-a', status: 'completed' }
const asked = [seen('1'), opened('1', 'tool-1')]
const turn = [accepted('p'), began(), echo('p')]
const failed: SessionEvent = {
  type: 'turn.ended',
  outcome: 'failed',
  error: { code: 'cli_failed', message: 'm' },
}
const stopped: SessionEvent = { type: 'turn.ended', outcome: 'interrupted' }

test.each<[string, SessionEvent[], string]>([
  ['new', [], 'idle'],
  ['given a prompt', [run('r'), accepted('p')], 'running'],
  ['in a turn', turn, 'running'],
  ['asked something', [...turn, ...asked], 'waiting'],
  ['answered', [...turn, ...asked, settled('1', allow)], 'running'],
  ['asked across the end of its turn', [...turn, ...asked, turnEnded()], 'waiting'],
  ['at the end of its turn', [...turn, turnEnded()], 'done'],
  ['at a failed end', [...turn, failed], 'failed'],
  ['at an interrupted end', [...turn, stopped], 'interrupted'],
  ['said something after a failure', [...turn, failed, accepted('q')], 'running'],
  ['left with a prompt in line', [...turn, accepted('q'), turnEnded()], 'running'],
  ['left with a prompt that was taken back', [...turn, accepted('q'), back('q'), turnEnded()], 'done'],
  ['given a prompt that was taken back before its turn', [accepted('p'), back('p')], 'interrupted'],
  ['given two prompts of which one was taken back', [accepted('p'), accepted('q'), back('p')], 'running'],
  ['in a turn of its own, with a prompt taken back', [began(), accepted('q'), back('q')], 'running'],
  ['left with an agent', [...turn, agentStarted('a'), turnEnded()], 'running'],
  ['left by its agent', [...turn, agentStarted('a'), turnEnded(), agentEnded], 'done'],
  [
    'left by one of two agents',
    [...turn, agentStarted('a'), agentStarted('b'), turnEnded(), agentEnded],
    'running',
  ],
  ['left with a shell', [...turn, shell, turnEnded()], 'done'],
  ['left by its process in a turn', [run('r'), ...turn, over('r')], 'failed'],
  ['left by its process before its turn', [run('r'), accepted('p'), over('r')], 'running'],
])('a session %s is %s', (_, events, status) => {
  expect(statusOf(fold(...events))).toBe(status)
})

test('any history: waiting is what is pending, and done is nobody at work', () => {
  fc.assert(
    fc.property(histories, (events) => {
      const state = fold(...events)
      const status = statusOf(state)
      expect(status === 'waiting').toBe(pendingApprovals(state.open).length > 0)
      const atWork = state.inTurn || state.open.prompts.size > 0 || state.agents.length > 0
      expect(status === 'waiting' || (status === 'running') === atWork).toBe(true)
      expect(state.started && !state.inTurn).toBe(false)
    }),
    { numRuns: runs(500) },
  )
})

describe('turns', () => {
  test('a prompt begins one, a message in it does not, and the child may begin one by itself', () => {
    expect(fold(accepted('p')).turn).toBe(1)
    expect(fold(...turn, accepted('q'), echo('q'), turnEnded()).turn).toBe(1)
    expect(fold(...turn, turnEnded(), began()).turn).toBe(2)
    expect(fold(...turn, accepted('q'), turnEnded(), began(), echo('q')).turn).toBe(2)
  })

  test('a turn that a process never began continues in the next one', () => {
    expect(fold(run('a'), accepted('p'), over('a'), run('b'), began(), echo('p'), turnEnded())).toMatchObject(
      {
        turn: 1,
        outcome: 'done',
        error: undefined,
      },
    )
  })
})

const cost = (total: number): SessionEvent => ({
  type: 'cost.reported',
  total,
  inputTokens: 0,
  outputTokens: 0,
})

const process = (id: string, version: string, ...totals: number[]): SessionEvent[] => [
  run(id),
  ...totals.flatMap((total) => [began(version), cost(total), turnEnded()]),
  over(id),
]

describe('cost is the sum over all processes', () => {
  test('where each process begins at 0 (2.1.197)', () => {
    const state = fold(
      ...process('a', '2.1.197', 1, 3),
      ...process('b', '2.1.197', 2),
      ...process('c', '2.1.197', 5),
    )
    expect(state.cost.usd).toBe(3 + 2 + 5)
  })

  test('where a process continues with the sum of the one before (2.1.325)', () => {
    const state = fold(
      ...process('a', '2.1.325', 1, 3),
      ...process('b', '2.1.325', 5),
      ...process('c', '2.1.325', 6),
    )
    expect(state.cost.usd).toBe(6)
  })

  test('where the CLI does not say its version, each process begins at 0', () => {
    const turnOf = (total: number): SessionEvent[] => [
      { type: 'turn.started', cliSessionId: 's' },
      cost(total),
      turnEnded(),
    ]
    expect(fold(run('a'), ...turnOf(2), over('a'), run('b'), ...turnOf(3), over('b')).cost.usd).toBe(5)
    const known = [run('a'), began('2.1.325'), cost(1), turnEnded(), ...turnOf(2), over('a')]
    expect(fold(...known, run('b'), ...turnOf(3)).cost.usd).toBe(3)
  })

  test('a total that is reported again is counted once', () => {
    expect(fold(run('a'), began(), cost(2), cost(2), cost(2)).cost.usd).toBe(2)
    expect(fold(...process('a', '2.1.325', 2, 2), ...process('b', '2.1.325', 2)).cost.usd).toBe(2)
  })

  test('where /clear begins at 0 again (2.1.325)', () => {
    expect(fold(...process('a', '2.1.325', 3, 1)).cost.usd).toBe(4)
  })
})

test('that a process is outdated holds for it alone, and until its end', () => {
  expect(fold(run('r'), outdated('r'), ...turn).outdated).toEqual({ protection: 1, needed: 2 })
  expect(fold(run('r'), outdated('r'), over('r')).outdated).toBeUndefined()
  expect(fold(run('r'), outdated('r'), run('s')).outdated).toBeUndefined()
  expect(fold(run('s'), outdated('r')).outdated).toBeUndefined()
})

const startShell = (id: string): SessionEvent => ({ ...agentStarted(id), kind: 'local_bash' })

const endTask = (id: string): SessionEvent => ({
  type: 'task.ended',
  taskId: `task-${id}`,
  status: 'completed',
})

test('shells end one by one', () => {
  expect(fold(startShell('a'), startShell('b'), endTask('a')).shells).toEqual(['task-b'])
  expect(fold(startShell('a'), agentStarted('b'), endTask('a'))).toMatchObject({
    shells: [],
    agents: ['task-b'],
  })
})

test('what the model had before it is known until its conversation is another one', () => {
  const text: SessionEvent = { type: 'text', text: '', uuid: 'u', contextTokens: 900 }
  const said = [run('r'), ...turn, text]
  expect(fold(...said).contextTokens).toBe(900)
  expect(fold(...said, { type: 'nesting.ended', reason: '' }).contextTokens).toBe(900)
  expect(fold(...said, { type: 'conversation.cleared' }).contextTokens).toBeUndefined()
  expect(fold(...said, { type: 'context.compacted', trigger: 'auto', after: 100 }).contextTokens).toBe(100)
  expect(fold(...said, { type: 'turn.started', cliSessionId: 's' }).contextTokens).toBe(900)
  expect(fold(...said, { type: 'turn.started', cliSessionId: 'other' }).contextTokens).toBeUndefined()
})
