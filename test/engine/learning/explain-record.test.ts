/** Every decision that the record holds is explained: while its session is there, and after it was removed. */
import { assert, asyncProperty, constantFrom, array } from 'fast-check'
import { expect, test } from 'vitest'
import { RECORD_KINDS, type RecordKind } from '../../../src/audit/record-row.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { SessionWriter } from '../../../src/sessions/writing/session-writer.ts'
import { Doorbells } from '../../../src/sessions/record/session-doorbells.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession } from '../../contracts/rows.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { appWithoutCli, CALLERS } from '../../rig/clients/family.ts'
import { sqliteStoreOfTest } from '../../rig/tools/sqlite-store.ts'
import { asApprovalId, asGrantId } from '../../rig/tools/ids.ts'

type Settled = Omit<Extract<SessionEvent, { type: 'approval.settled' }>, 'type' | 'approvalId'>
type Opened = Partial<Extract<SessionEvent, { type: 'approval.opened' }>>

const ALLOW = { decision: { behavior: 'allow', updatedInput: { command: 'make' } } } as const
const DENY = { decision: { behavior: 'deny', message: 'No.' } } as const
const RULE = {
  effect: 'allow',
  drawer: 'rules',
  ruleId: 'makes',
  text: 'allow command "make"',
  digest: 'd1',
} as const
const GRANT = { effect: 'allow', drawer: 'granted', ruleId: 'g1', text: 'allow exactly Bash "make"' } as const
const ASK = { effect: 'ask', drawer: 'rules', ruleId: 'asks', text: 'ask command "make"' } as const

interface End {
  readonly asked: Opened
  readonly settled: Settled
  /** What the explanation must say. */
  readonly says: object
}

/** Each way in which a question can end. */
const ENDS: Readonly<Record<string, End>> = {
  rule: {
    asked: { verdict: RULE },
    settled: { status: 'allowed', via: 'rule', ...ALLOW },
    says: { end: 'allowed by rule', verdict: RULE },
  },
  grant: {
    asked: { verdict: GRANT },
    settled: { status: 'allowed', via: 'rule', by: 'ann', grantId: asGrantId('g1'), ...ALLOW },
    says: { end: 'allowed by rule', by: 'ann', verdict: GRANT },
  },
  person: {
    asked: {},
    settled: { status: 'denied', via: 'page', by: 'ann', level: 'person', ...DENY },
    says: { end: 'denied', by: 'ann', via: 'page' },
  },
  'person, whom a rule had asked': {
    asked: { verdict: ASK },
    settled: { status: 'allowed', via: 'command_line', by: 'ann', ...ALLOW },
    says: { end: 'allowed', by: 'ann', verdict: ASK },
  },
  expired: {
    asked: {},
    settled: { status: 'expired', via: 'expiry', ...DENY },
    says: { end: 'expired', via: 'expiry' },
  },
  withdrawn: { asked: {}, settled: { status: 'withdrawn' }, says: { end: 'withdrawn' } },
  repeated: {
    asked: {},
    settled: { status: 'denied', via: 'rule', end: 'repeated', ...DENY },
    says: { end: 'denied, repeated' },
  },
  'too many': {
    asked: {},
    settled: { status: 'denied', via: 'rule', end: 'too many', ...DENY },
    says: { end: 'denied, too many' },
  },
  flood: {
    asked: { held: true },
    settled: { status: 'denied', via: 'page', by: 'ann', end: 'with others', ...DENY },
    says: { end: 'denied, with others', by: 'ann' },
  },
  dismissed: {
    asked: { kind: 'question', toolName: 'AskUserQuestion' },
    settled: { status: 'denied', via: 'page', by: 'ann', end: 'dismissed', ...DENY },
    says: { end: 'dismissed', by: 'ann' },
  },
  form: {
    asked: { kind: 'form', toolName: 'mcp__asking' },
    settled: { status: 'denied', via: 'form', by: 'ann', decision: { behavior: 'form', action: 'decline' } },
    says: { end: 'declined', by: 'ann' },
  },
  budget: {
    asked: { kind: 'budget', toolName: 'Budget', input: { resource: 'usd', spent: 8, limit: 10 } },
    settled: {
      status: 'allowed',
      via: 'page',
      by: 'ann',
      decision: { behavior: 'budget', resource: 'usd', action: 'raise', limit: 20 },
    },
    says: { end: 'allowed', by: 'ann' },
  },
  terminal: {
    asked: { carrier: 'terminal' },
    settled: { status: 'withdrawn', carrier: 'terminal', end: 'answered in the terminal' },
    says: { end: 'answered in the terminal' },
  },
}

const names = Object.keys(ENDS)

const ofRow = ({ body }: { body: string }) => (JSON.parse(body) as { approvalId: string }).approvalId

/** How many decisions were explained. */
async function explainedAll(ends: readonly string[], open: typeof openMemoryStore) {
  const store = await open()
  await store.sessions.create(aSession({ name: 'web' }))
  const session = await store.sessions.get('s1')
  if (!session) throw new Error('There is no session.')
  const writer = await SessionWriter.open(
    { store, doorbells: new Doorbells(), now: () => 5, onStored: () => {}, flood: 'off' },
    session,
  )
  const says = new Map<string, object>()
  for (const [index, name] of ends.entries()) {
    const {
      asked,
      settled,
      says: expected,
    } = ENDS[name] ?? { asked: {}, settled: { status: 'denied' }, says: {} }
    const approvalId = asApprovalId(`a${index}`)
    const about = {
      requestId: `r${index}`,
      kind: 'tool',
      toolName: 'Bash',
      input: { command: `make ${index}` },
    } as const
    await writer.append([{ type: 'approval.opened', approvalId, ...about, ...asked }])
    const verdict = 'verdict' in asked && settled.via === 'rule' ? { verdict: asked.verdict } : {}
    await writer.append([{ type: 'approval.settled', approvalId, ...settled, ...verdict }])
    says.set(approvalId, expected)
  }
  const { engine } = await appWithoutCli(store, await temporaryFolder())
  const call = { caller: CALLERS.operator }
  const rows = await store.record.read({ kind: 'settled', limit: 500 })
  const ids = rows.map(ofRow)
  for (const id of says.keys()) expect(ids).toContain(id)
  // What stands for a held question is asked by Plexus itself, and withdrawn with the last of them.
  for (const id of ids) if (!says.has(id)) says.set(id, { status: 'withdrawn' })
  for (const id of ids)
    expect(await engine.explainQuestion(call, { approvalId: id })).toMatchObject({
      source: 'question',
      ...says.get(id),
    })
  await store.sessions.remove('s1')
  for (const row of rows)
    for (const approvalId of [ofRow(row), `${row.number}`])
      expect(await engine.explainQuestion(call, { approvalId })).toMatchObject({
        source: 'record',
        approvalId: ofRow(row),
        ...says.get(ofRow(row)),
      })
  return ids.length
}

test.each(names)(
  '[U9] an end by %s is explained, also after its session was removed (asked for: 9)',
  async (name) => {
    expect(await explainedAll([name], sqliteStoreOfTest)).toBeGreaterThan(0)
  },
)

const seen = (id: string, more: object) =>
  ({
    type: 'tool.seen',
    requestId: `r ${id}`,
    toolUseId: id,
    toolName: 'Bash',
    opinion: 'none',
    ...more,
  }) as const
const over = (id: string) => ({ toolUseId: id, toolName: 'Bash' })

test('[U9] a call that was no question is explained by the number of its row (asked for: 9)', async () => {
  const store = await sqliteStoreOfTest()
  await store.sessions.create(aSession({ name: 'web' }))
  const session = await store.sessions.get('s1')
  if (!session) throw new Error('There is no session.')
  const writer = await SessionWriter.open({ store, doorbells: new Doorbells(), now: () => 5 }, session)
  const DENIES = { effect: 'deny', drawer: 'rules', ruleId: 'no', text: 'deny command "make"' } as const
  await writer.append([
    seen('t1', { verdict: RULE }),
    { type: 'tool.unasked', ...over('t1') },
    seen('t2', {}),
    { type: 'tool.unasked', ...over('t2'), rule: 'Bash(make *)' },
    seen('t3', { opinion: 'deny', verdict: DENIES, input: { command: 'make' } }),
    seen('t4', {}),
    { type: 'tool.refused', ...over('t4'), message: 'Not in this mode.' },
  ])
  await store.sessions.remove('s1')
  const { engine } = await appWithoutCli(store, await temporaryFolder())
  const explained = async (kind: RecordKind) => {
    const rows = await store.record.read({ kind, limit: 9 })
    const ids = rows.map(({ number }) => `${number}`)
    return Promise.all(
      ids.map((approvalId) => engine.explainQuestion({ caller: CALLERS.operator }, { approvalId })),
    )
  }
  const ran = { source: 'record', status: 'unasked', end: 'a call that ran without a question', at: 5 }
  expect(await explained('unasked')).toMatchObject([
    { ...ran, verdict: RULE },
    { ...ran, by: 'Bash(make *)' },
  ])
  expect(await explained('hook-denied')).toMatchObject([
    { end: 'a call that was denied without a question', verdict: DENIES },
  ])
  expect(await explained('refused')).toMatchObject([{ end: 'a call that Claude Code refused' }])
})

test('[U9] whatever ends a record holds, each of its decisions is explained (asked for: 9)', async () => {
  await assert(
    asyncProperty(array(constantFrom(...names), { minLength: 1, maxLength: 12 }), async (ends) => {
      expect(await explainedAll(ends, openMemoryStore)).toBeGreaterThanOrEqual(ends.length)
    }),
    { numRuns: 25 },
  )
})

test('[U9] every kind of row that is a decision is explained by its number, known to be harmless or allowed by Claude Code too (asked for: 9)', async () => {
  const store = await sqliteStoreOfTest()
  await store.sessions.create(aSession({ name: 'web' }))
  const session = await store.sessions.get('s1')
  if (!session) throw new Error('There is no session.')
  const writer = await SessionWriter.open({ store, doorbells: new Doorbells(), now: () => 5 }, session)
  const approvalId = asApprovalId('a1')
  const about = { requestId: 'r1', toolUseId: 'u1', kind: 'tool', toolName: 'Bash' } as const
  const input = { command: 'make' }
  await writer.append([
    seen('t1', { input: { command: 'ls' } }),
    { type: 'tool.unasked', ...over('t1') },
    seen('t2', { verdict: RULE }),
    { type: 'tool.unasked', ...over('t2') },
    seen('t3', {}),
    { type: 'tool.unasked', ...over('t3'), rule: 'Bash(make *)' },
    seen('t4', { opinion: 'deny', input }),
    seen('t5', {}),
    { type: 'tool.refused', ...over('t5'), message: 'Not in this mode.' },
    { type: 'approval.opened', approvalId, ...about, input },
    { type: 'approval.escalated', approvalId, by: 's1', to: 'owner' },
    { type: 'approval.extended', approvalId, by: 'ann', until: 99 },
    { type: 'approval.settled', approvalId, status: 'allowed', via: 'page', by: 'ann', ...ALLOW },
    { type: 'tool.finished', toolUseId: 'u1', isError: false, content: 'made' },
    { type: 'grant.expired', grantId: asGrantId('g1') },
    { type: 'grant.revoked', grantId: asGrantId('g2'), by: 'ann' },
  ])
  const rest = [
    'session-started',
    'session-removed',
    'delivered',
    'call-refused',
    'read',
    'exported',
    'cut',
  ] as const
  await store.record.append(
    rest.map((kind) => ({ kind, at: 6, body: kind === 'delivered' ? { session: 's1', approvalId } : {} })),
  )
  const rows = await store.record.read({ limit: 500 })
  // A kind that is added later must be put here, on one side or the other.
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(RECORD_KINDS))
  const { engine } = await appWithoutCli(store, await temporaryFolder())
  const explained = new Map<string, object[]>()
  for (const { number, kind } of rows) {
    const asked = engine.explainQuestion({ caller: CALLERS.operator }, { approvalId: `${number}` })
    const found = await asked.catch((error: unknown) => error as object)
    explained.set(kind, [...(explained.get(kind) ?? []), found])
  }
  const settled = { approvalId, status: 'allowed', end: 'allowed', by: 'ann', via: 'page' }
  for (const kind of ['asked', 'escalated', 'extended', 'settled', 'delivered', 'ran'])
    for (const one of explained.get(kind) ?? [undefined]) expect([kind, one]).toMatchObject([kind, settled])
  expect(explained.get('unasked')).toMatchObject([
    { end: 'a call that ran without a question: neither Plexus nor Claude Code asks about such a call' },
    { end: 'a call that ran without a question', verdict: RULE },
    { end: 'a call that ran without a question', by: 'Bash(make *)' },
  ])
  for (const kind of ['session-started', 'session-removed', 'read', 'exported', 'cut'])
    expect([kind, explained.get(kind)]).toMatchObject([kind, [{ code: 'not_found' }]])
  expect(explained.get('grant-revoked')).toMatchObject([{ by: 'ann' }])
  for (const kind of ['refused', 'hook-denied', 'call-refused', 'grant-expired'])
    expect(explained.get(kind)).toMatchObject([{ status: kind, end: expect.stringMatching(/./) as string }])
})
