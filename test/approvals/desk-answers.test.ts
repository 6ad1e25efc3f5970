import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Answer } from '../../src/approvals/answer.ts'
import type { Approval } from '../../src/approvals/approval.ts'
import { Desk, type DeskDeps } from '../../src/approvals/desk.ts'
import type { DeskSession, Settled } from '../../src/approvals/desk-sessions.ts'
import { DEFAULT_LIMITS, type QuestionLimits } from '../../src/approvals/question-limits.ts'
import { AppError } from '../../src/base/errors.ts'
import type { Rule } from '../../src/rules/rule.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { anApproval, aSession, aStep, opened } from '../contracts/rows.ts'
import { willing } from '../rig/hubs/desk-rig.ts'
import { FakeClock } from '../rig/tools/fake-clock.ts'
import { asApprovalId, type PlainIds } from '../rig/tools/ids.ts'

const SESSION = { id: 's1', owner: 'ann', timeoutMs: 0 }

interface Setting {
  readonly session?: Partial<DeskSession>
  readonly limits?: Partial<QuestionLimits>
  readonly offeredRule?: DeskDeps['offeredRule']
  /** What comes before a settlement is written. */
  readonly before?: (settled: Settled) => Promise<void> | void
}

/** A desk over a store; what is settled is noted and stored. */
async function startDesk({ session, limits, offeredRule, before }: Setting = {}) {
  const store = await openMemoryStore()
  await store.sessions.create(aSession())
  const clock = new FakeClock()
  const written: Settled[] = []
  const rung: string[] = []
  const errors: unknown[] = []
  const limited: unknown[] = []
  const settle = async (settled: Settled) => {
    await before?.(settled)
    written.push(settled)
    const { approvalId, status, decision, by, level, via } = settled
    await store.journal.append(aStep(1, { settled: [{ approvalId, status, decision, by, level, via }] }))
  }
  const desk = new Desk({
    approvals: store.approvals,
    offeredRule,
    sessions: {
      questionsOf: async () => ({
        ...willing,
        ...session,
      }),
      settle: async (answers) => {
        for (const { settled } of answers) await settle(settled)
      },
      ring: (id) => void rung.push(id),
    },
    onError: (error) => errors.push(error),
    clock,
    limits: { ...DEFAULT_LIMITS, ...limits },
    onLimit: (_, admission) => limited.push(admission),
  })
  const ask = async (fields: Partial<PlainIds<Approval>> = {}) => {
    const asked = anApproval({ cwd: '/project', ...fields })
    await opened(store, asked)
    return asked
  }
  const answer = async (answered: Answer, fields: Partial<PlainIds<Approval>> = {}) =>
    desk.answer(await ask(fields), answered, 'ann')
  /** Time passes, and what is due is done. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    await setImmediate()
  }
  return { store, desk, clock, written, rung, errors, limited, ask, answer, pass }
}

const aQuestionEvent = {
  type: 'approval.opened',
  kind: 'tool',
  requestId: 'q1',
  toolName: 'Bash',
  input: { command: 'make' },
} as const

const openedEvent = (approvalId: string, fields: object) => ({
  ...aQuestionEvent,
  approvalId: asApprovalId(approvalId),
  ...fields,
})

const REFUSED = { code: 'invalid_input' }

test('a question of one session is not found under the name of another', async () => {
  const { store, desk, ask } = await startDesk()
  await store.sessions.create(aSession({ id: 's2' }))
  await ask({ id: 'a1', sessionId: 's1', toolUseId: 't1' })
  await store.journal.append(
    aStep(1, { sessionId: 's2', opened: [anApproval({ id: 'a2', sessionId: 's2', toolUseId: 't1' })] }),
  )
  expect(await desk.find('a1', 's1')).toMatchObject({ id: 'a1' })
  await expect(desk.find('a1', 's2')).rejects.toMatchObject({ code: 'not_found' })
  await expect(desk.find('a2', 's1')).rejects.toMatchObject({ code: 'not_found' })
  expect(await desk.find('t1', 's1')).toMatchObject({ id: 'a1' })
  expect(await desk.find('t1', 's2')).toMatchObject({ id: 'a2' })
})

test('a tool use that was asked about again stands for the last of what was asked', async () => {
  const { desk, ask } = await startDesk()
  for (const id of ['a1', 'a2', 'a3'])
    await desk.answer(await ask({ id, toolUseId: 't' }), { approve: false }, 'ann')
  expect(await desk.find('t', 's1')).toMatchObject({ id: 'a3' })
  for (const id of ['a4', 'a5']) await ask({ id, toolUseId: 't' })
  await expect(desk.find('t', 's1')).rejects.toMatchObject({ data: { approvalIds: ['a4', 'a5'] } })
})

test('what is written is the answer, who gave it, from which level and by which way', async () => {
  const { desk, ask, written } = await startDesk()
  await desk.answer(await ask(), { approve: false, message: 'no' }, 'ann', { level: 'owner', via: 'tool' })
  expect(written).toEqual([
    {
      approvalId: 'a1',
      status: 'denied',
      decision: { behavior: 'deny', message: 'no' },
      by: 'ann',
      level: 'owner',
      via: 'tool',
    },
  ])
})

test('what is settled already is not answered again, even by who holds an old copy of it', async () => {
  const { desk, ask, written } = await startDesk()
  const asked = await ask()
  const settled = await desk.answer(asked, { approve: true }, 'ann')
  await expect(desk.answer(settled, { approve: false }, 'ben')).rejects.toMatchObject({
    code: 'already_settled',
    data: { approval: { by: 'ann' } },
  })
  expect(written).toHaveLength(1)
})

test('what is remembered is written with the answer and said to whoever answered', async () => {
  const { answer, written } = await startDesk()
  const input = { command: 'git push' }
  const remembered = await answer({ approve: true, remember: 'suggested' }, { input })
  expect(remembered).toMatchObject({
    status: 'allowed',
    remembered: { call: 'Bash: git push', folder: '/project', rules: ['Bash(git push *)'] },
  })
  expect(written[0]?.remembered).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    scope: 'session',
    rules: [
      {
        id: written[0]?.remembered?.id,
        effect: 'allow',
        exact: { toolName: 'Bash', subject: 'git push', folder: '/project' },
        session: ['s1'],
      },
      {
        id: written[0]?.remembered?.id,
        effect: 'allow',
        tool: ['Bash'],
        command: ['git push *'],
        session: ['s1'],
      },
    ],
  })
  const plain = await answer({ approve: true }, { id: 'a2', input })
  expect(plain).not.toHaveProperty('remembered')
  expect(written[1]).not.toHaveProperty('remembered')
})

test('what may not be remembered, or would mean something else in another folder, is not allowed at all', async () => {
  const remember: Answer = { approve: true, remember: 'session' }
  const strict = await startDesk({ session: { askedDespite: () => 'it is asked about each time' } })
  await expect(strict.answer(remember)).rejects.toMatchObject(REFUSED)
  expect(strict.written).toEqual([])
  const nowhere = await startDesk()
  await expect(nowhere.answer(remember, { cwd: undefined })).rejects.toMatchObject(REFUSED)
  expect(nowhere.written).toEqual([])
  const url = { toolName: 'WebFetch', input: { url: 'http://host' }, cwd: undefined }
  expect(await nowhere.answer(remember, { ...url, id: 'a2' })).toMatchObject({ status: 'allowed' })
})

test('what is remembered says where it holds, and ends after its seconds', async () => {
  const { answer, written } = await startDesk()
  const input = { command: 'git push' }
  const limits = [
    ['turn', { session: ['s1'], turn: 1 }],
    ['session', { session: ['s1'] }],
    ['tree', { tree: ['s0'] }],
    ['folder', { folder: '/project' }],
    ['always', {}],
  ] as const
  for (const [index, [remember, limit]] of limits.entries()) {
    const { remembered } = await answer(
      { approve: true, remember, rememberSeconds: 60 },
      { id: `a${index + 1}`, input },
    )
    const { id, effect, exact, expires, ...rest } = written[index]?.remembered?.rules?.[0] ?? {}
    expect([id, effect, rest]).toEqual([remembered?.grantId, 'allow', limit])
    expect(exact?.folder).toBe(remember === 'folder' || remember === 'always' ? undefined : '/project')
    expect([expires, remembered?.endsAt]).toEqual([new Date(61_000).toISOString(), 61_000])
  }
})

test('a turn that is over, a rule that was not offered, and an end without a start are refused', async () => {
  const { scopePlace } = willing
  const between = await startDesk({ session: { scopePlace: { ...scopePlace, turn: undefined } } })
  await expect(between.answer({ approve: true, remember: 'turn' })).rejects.toMatchObject(REFUSED)
  const { answer, written } = await startDesk()
  for (const wrong of [
    { remember: 'session', rememberRule: 'r1' },
    { remember: 'suggested', rememberRule: 'r1' },
    { rememberRule: 'r1' },
    { rememberSeconds: 5 },
  ] as const)
    await expect(answer({ approve: true, ...wrong })).rejects.toMatchObject(REFUSED)
  expect(written).toEqual([])
})

test('an offered rule takes the place of the exact call, in the scope that was chosen', async () => {
  const offer: Rule = {
    id: 'r1',
    effect: 'allow',
    command: ['git push *'],
    examples: { match: ['git push'] },
  }
  const { answer, written } = await startDesk({ offeredRule: (_, id) => (id === 'r1' ? offer : undefined) })
  const { remembered } = await answer({ approve: true, remember: 'folder', rememberRule: 'r1' })
  expect(written[0]?.remembered?.rules).toEqual([
    { id: remembered?.grantId, effect: 'allow', command: ['git push *'], folder: '/project' },
  ])
  expect(remembered?.texts).toEqual(['allow command "git push *", in folder "/project"'])
  const other = answer({ approve: true, remember: 'folder', rememberRule: 'r2' }, { id: 'a2' })
  await expect(other).rejects.toMatchObject(REFUSED)
})

test('a note with a yes is refused where nobody would read it; with a no it is the reason', async () => {
  const yes: Answer = { approve: true, message: 'mind the gap' }
  const reads = await startDesk()
  expect(await reads.answer(yes)).toMatchObject({ decision: { message: 'mind the gap' } })
  await expect(reads.answer(yes, { id: 'a2', toolUseId: undefined })).rejects.toMatchObject(REFUSED)
  const deaf = await startDesk({ session: { takesNotes: false } })
  await expect(deaf.answer(yes)).rejects.toMatchObject(REFUSED)
  expect(deaf.written).toEqual([])
  expect(await deaf.answer({ approve: true }, { id: 'a2' })).toMatchObject({ status: 'allowed' })
  expect(await deaf.answer({ approve: false, message: 'no' }, { id: 'a3' })).toMatchObject({
    status: 'denied',
  })
})

test('a question without an answer is denied when its time is over, a form is cancelled', async () => {
  const { desk, ask, written, pass } = await startDesk()
  await ask({ id: 'a1' })
  await ask({ id: 'a2', kind: 'form' })
  for (const id of ['a1', 'a2']) desk.track(id, { ...SESSION, timeoutMs: 90_000 }, 10)
  await pass(90_000)
  const message =
    'Nobody answered within 90 seconds, so this was not done. That is no denial: nobody has decided; ask again if it still matters.'
  expect(written).toEqual([
    { approvalId: 'a1', status: 'expired', decision: { behavior: 'deny', message }, via: 'expiry' },
    { approvalId: 'a2', status: 'expired', decision: { behavior: 'form', action: 'cancel' }, via: 'expiry' },
  ])
})

test('a question that waits for ever has no end, and what was answered does not expire', async () => {
  const { desk, ask, written, pass, errors } = await startDesk()
  await ask({ id: 'a1' })
  desk.track('a1', SESSION, 10)
  expect(desk.expiresAt('a1')).toBeUndefined()
  const asked = await ask({ id: 'a2' })
  desk.track('a2', { ...SESSION, timeoutMs: 1_000 }, 10)
  await desk.answer(asked, { approve: true }, 'ann')
  await pass(10_000)
  expect(written.map(({ approvalId }) => approvalId)).toEqual(['a2'])
  expect(errors).toEqual([])
})

test('a terminal has its own dialog and a budget question stops nothing, so no silence denies them; a rule may shorten the time of others', async () => {
  const { desk } = await startDesk()
  const session = { ...SESSION, timeoutMs: 5_000, showsHeld: false }
  const verdict = { ruleId: 'r1', effect: 'ask', timeoutMs: 2_000 } as const
  desk.watch(session, [
    openedEvent('plain', {}),
    openedEvent('terminal', { carrier: 'terminal' }),
    openedEvent('terminal by a rule', { carrier: 'terminal', verdict }),
    openedEvent('budget', { kind: 'budget' }),
    openedEvent('by a rule', { verdict }),
  ])
  const ends = ['plain', 'terminal', 'terminal by a rule', 'budget', 'by a rule'].map((id) =>
    desk.expiresAt(asApprovalId(id)),
  )
  expect(ends).toEqual([5_000, undefined, undefined, undefined, 2_000].map((ms) => ms && desk.timeAfter(ms)))
})

test('a question that is gone when its time is over is no error', async () => {
  const { desk, written, pass, errors } = await startDesk()
  desk.track('gone', { ...SESSION, timeoutMs: 1_000 }, 10)
  await pass(1_000)
  expect([written, errors]).toEqual([[], []])
})

test('an answer that comes in the moment of the expiry wins, and that is no error', async () => {
  const lost = new AppError('already_settled', 'This question is settled.')
  const { desk, ask, pass, errors } = await startDesk({ before: () => Promise.reject(lost) })
  await ask()
  desk.track('a1', { ...SESSION, timeoutMs: 1_000 }, 10)
  await pass(1_000)
  expect(errors).toEqual([])
})

test('a denial that cannot be written is tried again, but not once the question is settled', async () => {
  const full = new AppError('storage_full', 'The disk is full.')
  let inTheMiddle: (() => void) | undefined
  const { desk, ask, pass, errors, written } = await startDesk({
    before: () => {
      inTheMiddle?.()
      return Promise.reject(full)
    },
  })
  await ask()
  desk.track('a1', { ...SESSION, timeoutMs: 1_000 }, 10)
  await pass(1_000)
  expect(errors).toEqual([full])
  inTheMiddle = () =>
    desk.watch(SESSION, [{ type: 'approval.settled', approvalId: asApprovalId('a1'), status: 'withdrawn' }])
  await pass(5_000)
  expect(errors).toEqual([full, full])
  await pass(60_000)
  expect(errors).toHaveLength(2)
  expect(written).toEqual([])
})

test('a desk that is closed denies nothing more', async () => {
  const { desk, ask, pass, written } = await startDesk()
  await ask()
  desk.track('a1', { ...SESSION, timeoutMs: 1_000 }, 10)
  desk.close()
  expect(desk.expiresAt('a1')).toBeUndefined()
  await pass(10_000)
  expect(written).toEqual([])
})

const event = (approvalId: string, input: Record<string, unknown>) =>
  ({
    type: 'approval.opened',
    approvalId: asApprovalId(approvalId),
    kind: 'tool',
    requestId: 'r',
    toolName: 'Bash',
    input,
  }) as const

test('what is too large to wait is refused at once, and says so', async () => {
  const { desk, ask, pass, written, limited } = await startDesk({ limits: { bytesPerOwner: 5_000 } })
  for (const id of ['a1', 'a2']) await ask({ id })
  desk.watch(SESSION, [
    event('a1', { command: 'x'.repeat(4_000) }),
    event('a2', { command: 'é'.repeat(600) }),
  ])
  await pass(0)
  expect(limited).toEqual([{ kind: 'refused', limit: 'bytesPerOwner' }])
  expect(written).toMatchObject([
    { approvalId: 'a2', status: 'denied', via: 'rule', decision: { behavior: 'deny' } },
  ])
  expect(desk.isQueued('a2')).toBe(false)
})

test('a queued question is opened in its turn, and whoever waits for its session is woken', async () => {
  const { desk, ask, pass, written, limited, rung } = await startDesk({ limits: { perSession: 1 } })
  const timed = { ...SESSION, timeoutMs: 1_000 }
  for (const id of ['a1', 'a2', 'a3']) await ask({ id })
  desk.watch({ ...timed, timeoutMs: 0 }, [event('a1', {})])
  desk.watch(timed, [event('a2', {}), event('a3', {})])
  expect(limited).toEqual(Array.from({ length: 2 }, () => ({ kind: 'queued', limit: 'perSession' })))
  await pass(5_000)
  expect(written).toEqual([])
  // One that is settled while it is queued makes no room.
  desk.watch(SESSION, [{ type: 'approval.settled', approvalId: asApprovalId('a2'), status: 'withdrawn' }])
  expect(rung).toEqual([])
  desk.watch(SESSION, [{ type: 'approval.settled', approvalId: asApprovalId('a1'), status: 'withdrawn' }])
  expect(rung).toEqual(['s1'])
  expect(desk.expiresAt('a2')).toBeUndefined()
  await pass(1_000)
  expect(written.map(({ approvalId }) => approvalId)).toEqual(['a3'])
})

test('after a restart the time of what is open begins anew, where its session is still there', async () => {
  const { store, desk, ask, clock } = await startDesk()
  await store.sessions.create(aSession({ id: 's2' }))
  await ask({ id: 'a1' })
  await store.journal.append(
    aStep(1, { sessionId: 's2', opened: [anApproval({ id: 'a2', sessionId: 's2' })] }),
  )
  await desk.resume(async (id) => (id === 's1' ? { ...SESSION, timeoutMs: 1_000 } : undefined))
  expect([desk.expiresAt('a1'), desk.expiresAt('a2')]).toEqual([clock.now() + 1_000, undefined])
})

test('after a restart nobody has less time than an answerer has given it', async () => {
  const { store, desk, ask, clock } = await startDesk()
  for (const id of ['a1', 'a2', 'a3']) await ask({ id })
  const extended = [
    { approvalId: 'a1', until: clock.now() + 9_000 },
    { approvalId: 'a2', until: clock.now() + 500 },
  ]
  await store.journal.append(aStep(1, { extended }))
  await desk.resume(async () => ({ ...SESSION, timeoutMs: 1_000 }))
  const left = ['a1', 'a2', 'a3'].map((id) => (desk.expiresAt(id) ?? 0) - clock.now())
  expect(left).toEqual([9_000, 1_000, 1_000])
})

test('a restart reads each session once, however many questions it has open', async () => {
  const { desk, ask, clock } = await startDesk()
  for (const id of ['a1', 'a2', 'a3']) await ask({ id })
  const read: string[] = []
  await desk.resume(async (id) => {
    read.push(id)
    return { ...SESSION, timeoutMs: 1_000 }
  })
  expect(read).toEqual(['s1'])
  expect(desk.expiresAt('a3')).toBe(clock.now() + 1_000)
})

test('what is settled while a restart looks for its session keeps no place', async () => {
  const { desk, ask, answer } = await startDesk({ limits: { perSession: 1 } })
  const asked = await ask({ id: 'a1' })
  await desk.resume(async () => {
    await desk.answer(asked, { approve: true }, 'ann')
    desk.watch(SESSION, [{ type: 'approval.settled', approvalId: asApprovalId('a1'), status: 'allowed' }])
    return SESSION
  })
  await answer({ approve: true }, { id: 'a2' })
  desk.track('a3', SESSION, 10)
  expect(desk.isQueued('a3')).toBe(false)
})
