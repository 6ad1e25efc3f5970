import { PROCESS_BEGAN } from '../../../src/base/clock.ts'
import { expect, test } from 'vitest'
import type { Rule } from '../../../src/rules/rule.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import type { Ledger } from '../../../src/sessions/writing/ledger.ts'
import { advance } from '../../../src/sessions/writing/step-from-events.ts'
import { titleOf } from '../../../src/sessions/writing/turn-rows.ts'
import { initialSessionState } from '../../../src/sessions/record/session-state.ts'
import { aSession, RUN } from '../../contracts/rows.ts'
import {
  accepted,
  allow,
  finished,
  opened,
  said,
  seen,
  settled,
  turnEnded,
} from '../../rig/cli/event-stories.ts'
import { asApprovalId, asGrantId, asRunId } from '../../rig/tools/ids.ts'

const fresh: Ledger = {
  session: aSession(),
  state: initialSessionState,
  run: undefined,
  turn: undefined,
  title: '',
}
const began: SessionEvent = {
  type: 'turn.started',
  cliSessionId: 'other',
  model: 'm',
  permissionMode: 'plan',
}
const echo: SessionEvent = { type: 'prompt.echoed', promptId: 'p' }
const next = (ledger: Ledger, ...events: SessionEvent[]) =>
  advance(ledger, events, { at: 7, steadyAt: PROCESS_BEGAN })

test('a turn in one step: its row, its node and the columns of its session', () => {
  const { step } = next(fresh, accepted('p', 'hello\nworld'), began, echo, said('1'), turnEnded())
  expect(step.events.map(({ turn }) => turn)).toEqual([1, 1, 1, 1, 1])
  expect(step.turns).toEqual([
    {
      sessionId: 's1',
      number: 1,
      promptId: 'p',
      firstSeq: 1,
      lastSeq: 5,
      outcome: 'done',
      assistantUuid: 'uuid-1',
    },
  ])
  expect(step.nodes).toMatchObject([
    { turn: 1, title: 'hello', cliSessionId: 'other', assistantUuid: 'uuid-1', at: 7 },
  ])
  expect(step.session).toMatchObject({
    status: 'done',
    turn: 1,
    cliSessionId: 'other',
    model: 'm',
    permissionMode: 'plan',
    headNode: step.nodes?.[0]?.id,
    checkpoint: { seq: 5 },
  })
})

test('the same turn in five steps gives the same rows', () => {
  const events = [accepted('p', 'hello'), began, echo, said('1'), turnEnded()]
  const whole = next(fresh, ...events)
  const parts: ReturnType<typeof next>[] = []
  for (const event of events) parts.push(next(parts.at(-1)?.ledger ?? fresh, event))
  expect(parts.at(-1)?.ledger).toEqual(whole.ledger)
  expect(parts.at(-1)?.step.turns).toEqual(whole.step.turns)
  expect(parts.flatMap(({ step }) => step.nodes)).toEqual(whole.step.nodes)
})

test('the second turn hangs on the first', () => {
  const first = next(fresh, accepted('p'), began, echo, turnEnded())
  const second = next(first.ledger, accepted('q'), began, turnEnded())
  expect(second.step.turns).toMatchObject([{ number: 2, firstSeq: 5, lastSeq: 7, promptId: 'q' }])
  expect(second.step.nodes).toMatchObject([{ turn: 2, parentId: first.ledger.session.headNode }])
})

test('a turn that the child began by itself has a prompt once it echoes one of ours', () => {
  const one = next(fresh, accepted('p'), began, echo, accepted('q'), turnEnded(), began)
  expect(one.step.turns).toMatchObject([
    { number: 1, promptId: 'p' },
    { number: 2, firstSeq: 6 },
  ])
  const foreign = next(one.ledger, { type: 'prompt.echoed', promptId: 'what a command printed' })
  expect(foreign.ledger.turn?.promptId).toBeUndefined()
  expect(next(foreign.ledger, { type: 'prompt.echoed', promptId: 'q' }).step.turns).toMatchObject([
    { promptId: 'q' },
  ])
})

test('questions and answers are rows of the same step, and the end of a process takes back what is open', () => {
  const run = advance(fresh, [{ type: 'run.started', runId: asRunId('r1') }, accepted('p'), began], {
    at: 7,
    run: RUN,
  })
  expect(run.step.runs).toEqual([RUN])
  const asked = next(run.ledger, seen('1'), opened('1', 'tool-1'), seen('2'), opened('2', 'tool-2'))
  expect(asked.step.opened).toMatchObject([
    {
      id: 'approval-1',
      turn: 1,
      status: 'pending',
      openedAt: 7,
      inputSha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    },
    { id: 'approval-2' },
  ])
  const answered = next(asked.ledger, settled('1', allow))
  expect(answered.step.settled).toMatchObject([{ approvalId: asApprovalId('approval-1'), status: 'allowed' }])
  expect(answered.step.session).toBeUndefined() // still waiting: the row is as it was
  const ended = next(answered.ledger, { type: 'run.ended', runId: asRunId('r1') })
  expect(ended.step.settled).toMatchObject([{ approvalId: asApprovalId('approval-2'), status: 'withdrawn' }])
  expect(ended.step.runs).toEqual([{ ...RUN, endedAt: 7 }])
})

test('text alone writes no row but its events', () => {
  const { ledger } = next(fresh, accepted('p'), began, echo)
  const { step } = next(ledger, { type: 'text.streamed', text: 'a' })
  expect(step).toMatchObject({ session: undefined, runs: [], turns: [], nodes: [], opened: [], settled: [] })
})

test.each<[string, SessionEvent | undefined, string]>([
  ['a line', accepted('p', 'hello'), 'hello'],
  ['lines', accepted('p', '\n  first\nsecond'), 'first'],
  ['a long line', accepted('p', 'x'.repeat(500)), 'x'.repeat(120)],
  ['blocks', { ...accepted('p'), content: [{ type: 'text' }] }, '[{"type":"text"}]'],
  ['no prompt', began, ''],
  ['nothing', undefined, ''],
])('the title of a turn that began with %s', (_, event, title) => {
  expect(titleOf(event)).toBe(title)
})

test('a session keeps the first words of its first prompt, and of no later one', () => {
  const first = next(fresh, accepted('p', 'Fix the\ntests.'), began, echo)
  expect(first.step.session).toMatchObject({ title: 'Fix the tests.' })
  const later = next(first.ledger, turnEnded(), accepted('q', 'Now the docs.'))
  expect(later.ledger.session.title).toBe('Fix the tests.')
  const older = { ...fresh, state: { ...initialSessionState, turn: 3 } }
  expect(next(older, accepted('p', 'Now the docs.')).ledger.session.title).toBeUndefined()
})

test('an answer has arrived when its tool has finished, and no other answer has', () => {
  const asked = [seen('1'), opened('1', 'tool-1'), seen('2'), opened('2', 'tool-2')]
  const open = next(fresh, accepted('p'), began, ...asked, seen('3'), opened('3', 'tool-3'))
  const answered = next(open.ledger, settled('1', allow), settled('2', allow))
  expect(answered.step.acknowledged).toEqual([])
  expect(next(answered.ledger, finished('1')).step.acknowledged).toMatchObject([
    { approvalId: 'approval-1', delivered: { kind: 'delivered', body: { approvalId: 'approval-1' } } },
  ])
  expect(next(answered.ledger, finished('3')).step.acknowledged).toEqual([])
  // The answer to a form belongs to no tool.
  const form = next(open.ledger, opened('4'), settled('4', { behavior: 'form', action: 'cancel' }))
  expect(next(form.ledger, said('1')).step.acknowledged).toEqual([])
})

test('what is remembered, ended and handed up is in the step', () => {
  const asked = next(fresh, seen('1'), opened('1', 'tool-1'), { ...opened('2', 'tool-2'), carrier: 'mcp' })
  expect(asked.step.opened).toMatchObject([{ carrier: 'control' }, { carrier: 'mcp' }])
  const rules: Rule[] = [{ id: 'g', effect: 'allow', tool: ['Bash'] }]
  const grant = { scope: 'session' as const, rules, endsAt: 9 }
  const kept = { id: asGrantId('g'), ...grant }
  const remembered = { ...settled('1', allow), by: 'ann', remembered: kept }
  expect(next(asked.ledger, remembered).step.granted).toEqual([
    { id: 'g', sessionId: 's1', approvalId: 'approval-1', ...grant, by: 'ann', at: 7 },
  ])
  expect(next(asked.ledger, settled('1', allow)).step.granted).toEqual([])
  // What an older version remembered is in its table already.
  const old = { ...settled('1', allow), remembered: { id: asGrantId('g'), rule: {} } }
  expect(next(asked.ledger, old).step.granted).toEqual([])
  const ends: SessionEvent[] = [
    { type: 'grant.expired', grantId: asGrantId('g') },
    { type: 'grant.revoked', grantId: asGrantId('h'), by: 'ann' },
  ]
  const escalated = {
    type: 'approval.escalated',
    approvalId: asApprovalId('approval-2'),
    by: 's',
    to: 'owner',
  } as const
  const { step } = next(asked.ledger, ...ends, escalated)
  expect(step).toMatchObject({
    endedGrants: [
      { id: 'g', how: 'expired', at: 7 },
      { id: 'h', how: 'revoked', at: 7, by: 'ann' },
    ],
    escalated: [escalated],
  })
})

test('a prompt that is taken back is not the prompt of the turn in which it came', () => {
  const { ledger } = next(fresh, began, accepted('q'), { type: 'prompt.withdrawn', promptId: 'q' })
  expect(ledger.turn).toMatchObject({ number: 1, promptId: undefined })
})

test('a later turn ends with its own end only', () => {
  const first = next(fresh, accepted('p'), began, echo, turnEnded())
  const second = next(first.ledger, accepted('q'), began)
  expect(second.step.nodes).toEqual([])
  expect(next(second.ledger, said('2')).step).toMatchObject({ turns: [], nodes: [] })
  // Between two turns nothing ends either.
  expect(next(first.ledger, said('3')).step).toMatchObject({ turns: [], nodes: [] })
})

test('the row says what a session knows and whether it was stopped, once there is something to say', () => {
  const plain = next(fresh, accepted('p'))
  expect(plain.step.session).not.toHaveProperty('knows')
  expect(plain.step.session).not.toHaveProperty('stopped')
  const stopped = next(plain.ledger, { type: 'below.seen', news: 'n' }, { type: 'session.stopped' })
  expect(stopped.step.session).toMatchObject({ knows: ['n'], stopped: true })
  expect(next(stopped.ledger, accepted('q')).step.session).toMatchObject({ knows: ['n'], stopped: false })
})

test('the questions of a session are counted over all its steps', () => {
  const first = next(fresh, opened('1', 'tool-1'), opened('2', 'tool-2'))
  expect(first.step.opened?.map(({ number }) => number)).toEqual([1, 2])
  const text = next(first.ledger, said('1'))
  expect(text.ledger.session.questions).toBe(2)
  const second = next(text.ledger, opened('3', 'tool-3'), opened('4', 'tool-4'))
  expect(second.step.opened?.map(({ number }) => number)).toEqual([3, 4])
  expect(second.step.session).toMatchObject({ questions: 4 })
  expect(next(fresh, accepted('p')).step.session).not.toHaveProperty('questions')
})
