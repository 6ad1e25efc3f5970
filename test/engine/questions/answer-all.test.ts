import { join } from 'node:path'
import { array, assert, asyncProperty, boolean, constantFrom, record, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { AppError } from '../../../src/base/errors.ts'
import { sha256Of } from '../../../src/base/ids.ts'
import { pendingApprovals } from '../../../src/child/state/run-state.ts'
import { Doorbells } from '../../../src/sessions/record/session-doorbells.ts'
import { SessionWriter } from '../../../src/sessions/writing/session-writer.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { aSession } from '../../contracts/rows.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { appWithoutCli, CALLERS } from '../../rig/clients/family.ts'
import { asApprovalId } from '../../rig/tools/ids.ts'
import { runs } from '../../rig/tools/property-runs.ts'

const SESSIONS = ['web', 'api', 'docs'] as const
const QUESTIONS = SESSIONS.flatMap((session) => [1, 2].map((number) => `${session}.${number}`))

/** Three sessions with two open questions each, as their writers left them. */
async function filled(store: Store): Promise<void> {
  for (const [index, name] of SESSIONS.entries()) {
    const id = `00000000-0000-4000-8000-00000000000${index}`
    const other = name === 'docs' ? ({ owner: 'other', answerers: 'person' } as const) : { owner: 'owner' }
    await store.sessions.create(aSession({ id, name, ...other }))
    const session = await store.sessions.get(id)
    if (!session) throw new Error('no session')
    const writer = await SessionWriter.open({ store, doorbells: new Doorbells(), now: () => 5 }, session)
    for (const number of [1, 2])
      await writer.append([
        {
          type: 'approval.opened',
          approvalId: asApprovalId(`${name}-${number}`),
          kind: 'tool',
          requestId: `request-${number}`,
          toolName: 'Bash',
          input: { command: `touch ${name}.${number}` },
          toolUseId: `toolu-${number}`,
        },
      ])
  }
}

async function started(kind: 'memory' | 'sqlite' = 'memory') {
  const folder = await temporaryFolder()
  const store = kind === 'memory' ? await openMemoryStore() : await openSqliteStore(join(folder, 'plexus.db'))
  await filled(store)
  const { engine } = await appWithoutCli(store, folder)
  const answerAll = (caller: Caller, ids: readonly string[], answer: object = { approve: true }) =>
    engine.answerAll({ caller }, { questions: ids.map((id) => ({ ...shown(id), ...answer })) })
  const decided = async () => {
    const all = await Promise.all(
      QUESTIONS.map((approvalId) => engine.getApproval({ caller: operator }, { approvalId })),
    )
    return new Map(all.map(({ shortId = '', status, by }) => [shortId, { status, by }]))
  }
  const open = async () =>
    [...(await decided())].flatMap(([id, { status }]) => (status === 'pending' ? id : []))
  return { store, engine, answerAll, decided, open }
}

const { operator, owner } = CALLERS
const shown = (approvalId: string) => ({
  approvalId,
  inputSha256: sha256Of({ command: `touch ${approvalId}` }),
})

test('several questions of several sessions are settled as one decision', async () => {
  const { answerAll, open } = await started()
  const settled = await answerAll(operator, ['web.2', 'api.1', 'web.1'])
  expect(settled.map(({ id, status, by }) => [id, status, by])).toEqual([
    ['web-2', 'allowed', 'operator'],
    ['api-1', 'allowed', 'operator'],
    ['web-1', 'allowed', 'operator'],
  ])
  expect(await open()).toEqual(['api.2', 'docs.1', 'docs.2'])
})

test.each<[string, Caller, readonly string[], object, string, string]>([
  ['is not there', operator, ['web.1', 'web.9'], {}, 'not_found', 'web.9'],
  ['is of a session that the caller may not see', owner, ['web.1', 'docs.1'], {}, 'not_found', 'docs.1'],
  [
    'is answered in a way that it does not take',
    operator,
    ['web.1'],
    { answers: ['maybe'] },
    'invalid_input',
    'maybe',
  ],
])('where one %s, none is answered', async (_, caller, ids, answer, code, named) => {
  const { answerAll, open } = await started()
  await expect(answerAll(caller, ids, { approve: true, ...answer })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(named) as string,
  })
  expect(await open()).toEqual(QUESTIONS)
})

test('where one is settled or another than was shown, none is answered and the error names it', async () => {
  const { engine, answerAll, open } = await started()
  const questions = [shown('web.1'), { ...shown('api.1'), inputSha256: sha256Of({}) }]
  const other = engine.answerAll(
    { caller: operator },
    { questions: questions.map((one) => ({ ...one, approve: true })) },
  )
  await expect(other).rejects.toMatchObject({
    code: 'changed',
    message: expect.stringMatching(/^None of the 2 questions was answered, because of api\.1: /) as string,
    data: { approvalId: 'api.1' },
  })
  await engine.answer({ caller: operator }, { approvalId: 'api.2', approve: false })
  await expect(answerAll(operator, ['web.1', 'api.2', 'docs.1'])).rejects.toMatchObject({
    code: 'already_settled',
    message: expect.stringContaining(
      'because of api.2: This question is denied by operator already',
    ) as string,
    data: { approvalId: 'api.2', approval: { status: 'denied' } },
  })
  expect(await open()).toEqual(['web.1', 'web.2', 'api.1', 'docs.1', 'docs.2'])
})

test('a question under two names is refused, and so is one that only a person may answer', async () => {
  const { answerAll, engine, open } = await started()
  const twice = [shown('web.1'), { ...shown('web.1'), approvalId: 'web-1' }]
  await expect(
    engine.answerAll({ caller: operator }, { questions: twice.map((one) => ({ ...one, approve: true })) }),
  ).rejects.toMatchObject({ code: 'invalid_input', message: 'web-1 is given twice; give it once.' })
  const model = { ...operator, person: false }
  await expect(answerAll(model, ['web.1', 'docs.1'])).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('because of docs.1: Only a person may answer') as string,
  })
  expect(await open()).toEqual(QUESTIONS)
})

const someQuestions = uniqueArray(constantFrom(...QUESTIONS), { minLength: 1, maxLength: 4 })
const attempts = array(record({ ids: someQuestions, approve: boolean() }), {
  minLength: 2,
  maxLength: 5,
})

test.each(['memory', 'sqlite'] as const)(
  'I12: of several answerers at once each settles all that it names or none, in %s',
  async (kind) => {
    await assert(
      asyncProperty(attempts, async (tried) => {
        const { store, answerAll, decided } = await started(kind)
        const results = await Promise.allSettled(
          tried.map(({ ids, approve }, index) =>
            answerAll({ ...operator, name: `n${index}` }, ids, { approve }),
          ),
        )
        const after = await decided()
        for (const [index, { ids, approve }] of tried.entries()) {
          const won = ids.filter((id) => after.get(id)?.by === `n${index}`)
          const result = results[index]
          expect(won).toEqual(result?.status === 'fulfilled' ? ids : [])
          for (const id of won) expect(after.get(id)?.status).toBe(approve ? 'allowed' : 'denied')
          const refused = result?.status === 'rejected' ? (result.reason as AppError) : undefined
          expect(refused?.code ?? 'already_settled').toBe('already_settled')
          expect([...ids, undefined]).toContain(refused?.data?.['approvalId'])
        }
        expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
        expect(await settledInLogs(store)).toEqual(
          [...after]
            .flatMap(([id, { status }]) => (status === 'pending' ? [] : id.replace('.', '-')))
            .toSorted(),
        )
      }),
      { numRuns: runs(kind === 'memory' ? 60 : 15) },
    )
  },
)

/** The questions that the logs say are settled: each once. */
async function settledInLogs(store: Store): Promise<string[]> {
  const logs = await Promise.all(
    (await store.sessions.list({ limit: 9 })).map(({ id }) => store.events.read(id, 0, 99)),
  )
  return logs
    .flat()
    .flatMap(({ event }) => (event.type === 'approval.settled' ? event.approvalId : []))
    .toSorted()
}

test.each(['before-commit', 'after-commit'] as const)(
  'I12: a hub that dies at the moment %s leaves all of them open or all answered, and the next hub finds it so',
  async (moment) => {
    const path = join(await temporaryFolder(), 'plexus.db')
    const store = await openSqliteStore(path)
    await filled(store)
    const onMoment = (passed: string) => {
      if (passed === moment) throw new AppError('internal', 'It dies here.')
    }
    const deps = { store, doorbells: new Doorbells(), now: () => 9, onMoment }
    const writers = await Promise.all(
      ['web', 'api'].map(async (name) => {
        const session = await store.sessions.byName(name)
        if (!session) throw new Error('no session')
        return SessionWriter.open(deps, session)
      }),
    )
    const decision = { behavior: 'deny', message: 'no' } as const
    const parts = writers.map((writer) => ({
      writer,
      events: [1, 2].map((number) => ({
        type: 'approval.settled' as const,
        approvalId: asApprovalId(`${writer.session.name}-${number}`),
        status: 'denied' as const,
        decision,
      })),
    }))
    await expect(SessionWriter.appendTogether(parts)).rejects.toThrow('It dies here.')
    await store.close()
    const next = await openSqliteStore(path)
    const states = await Promise.all(
      ['web', 'api', 'docs'].map(async (name) => {
        const session = await next.sessions.byName(name)
        if (!session) throw new Error('no session')
        const { state } = await SessionWriter.open({ ...deps, store: next, onMoment: undefined }, session)
        const owed = [...state.open.approvals.values()].filter((one) => one.decision !== undefined)
        return { open: pendingApprovals(state.open).length, owed: owed.length }
      }),
    )
    const [open, answered] = [
      { open: 2, owed: 0 },
      { open: 0, owed: 2 },
    ]
    expect(states).toEqual(moment === 'before-commit' ? [open, open, open] : [answered, answered, open])
    await next.close()
  },
)
