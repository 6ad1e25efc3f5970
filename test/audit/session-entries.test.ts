import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { kept, keptText } from '../../src/audit/kept-input.ts'
import { recordedCaller } from '../../src/audit/recorded-caller.ts'
import { recordedSession } from '../../src/audit/recorded-session.ts'
import { deliveredEntry, entriesOf, type KnownCalls, sessionEntry } from '../../src/audit/session-entries.ts'
import { sha256Of } from '../../src/base/ids.ts'
import { redact } from '../../src/base/log.ts'
import { VERSION } from '../../src/base/version.ts'
import type { EventOf, SessionEvent } from '../../src/events/session-event.ts'
import { opened } from '../rig/cli/event-stories.ts'
import { asCallerId } from '../rig/tools/ids.ts'
import { runs } from '../rig/tools/property-runs.ts'

const session = {
  id: 's1',
  name: 'web',
  owner: 'operator',
  ancestors: ['s0'],
  cwd: '/project',
  mode: 'default',
  model: 'sonnet',
  cliVersion: '2.1.197',
}
const asked = { ...opened('1', 't1'), cwd: '/project/src' }
const place = { session: 's1', name: 'web', owner: 'operator', ancestors: ['s0'], turn: 2 }
const state = {
  folder: '/project',
  mode: 'default',
  model: 'sonnet',
  cliVersion: '2.1.197',
  plexusVersion: VERSION,
}

const entries = (
  event: SessionEvent,
  known?: EventOf<'approval.opened'>,
  decided: string[] = [],
  running?: ReturnType<KnownCalls['call']>,
) =>
  entriesOf(event, () => session, {
    turn: 2,
    at: 7,
    calls: { question: () => known, decided: () => decided, call: () => running },
  })

const SHOWN = sha256Of(asked.input)

test('a question is recorded with what was shown, where it would run, and under which mode and versions', () => {
  expect(entries(asked)).toEqual([
    {
      kind: 'asked',
      at: 7,
      body: {
        ...place,
        ...state,
        approvalId: asked.approvalId,
        question: 'tool',
        tool: 'Bash',
        requestId: 'ask-1',
        toolUseId: 't1',
        cwd: '/project/src',
        input: { command: 'date' },
        shownSha256: SHOWN,
      },
    },
  ])
  expect(entries(asked, asked), 'asked again it is the same question').toEqual([])
})

const caller = { kind: 'device', id: 'device phone', person: true, proof: 'device token' } as const
const settled = {
  type: 'approval.settled',
  approvalId: asked.approvalId,
  status: 'allowed',
  by: 'phone',
  level: 'person',
  via: 'page',
  caller,
  shownAt: 5,
} as const

test('an answer is recorded with its caller, the hash of what was shown and of what runs', () => {
  const decision = { behavior: 'allow', updatedInput: asked.input } as const
  const [same] = entries({ ...settled, decision }, asked)
  expect(same).toMatchObject({
    kind: 'settled',
    body: {
      ...place,
      ...state,
      status: 'allowed',
      by: 'phone',
      level: 'person',
      via: 'page',
      caller,
      shownAt: 5,
    },
  })
  expect(same?.body).toMatchObject({
    tool: 'Bash',
    cwd: '/project/src',
    shownSha256: SHOWN,
    ranSha256: SHOWN,
  })
  expect(same?.body).not.toHaveProperty('approved')
  const edited = { behavior: 'allow', updatedInput: { command: 'date -u' }, message: 'UTC' } as const
  const [other] = entries({ ...settled, decision: edited }, asked)
  expect(other?.body).toMatchObject({
    edited: true,
    approved: edited.updatedInput,
    ranSha256: sha256Of(edited.updatedInput),
    message: 'UTC',
  })
})

test('a no is recorded with its message and whether it interrupts; a yes with the permissions that it gives', () => {
  const bodyOf = (
    decision: EventOf<'approval.settled'>['decision'],
    known: typeof asked | undefined = asked,
  ) => entries({ ...settled, decision }, known)[0]?.body
  const no = bodyOf({ behavior: 'deny', message: 'Not now.', interrupt: true })
  expect(no).toMatchObject({ behavior: 'deny', message: 'Not now.', interrupt: true })
  expect(no).not.toHaveProperty('ranSha256')
  const updatedPermissions = [{ type: 'addRules', token: 'sk-ant-REDACTED' }]
  const yes = bodyOf({ behavior: 'allow', updatedInput: asked.input, updatedPermissions })
  expect(yes?.['permissions']).toMatchObject([{ type: 'addRules' }])
  expect(JSON.stringify(yes)).not.toContain('sk-ant-')
  expect(bodyOf(undefined)).not.toHaveProperty('behavior')
  const raised = { behavior: 'budget', action: 'raise', resource: 'usd', limit: 5 } as const
  expect(bodyOf(raised)).toMatchObject(raised)
  expect(bodyOf(raised)).not.toHaveProperty('ranSha256')
})

test('an answer to a question that is not known any more has what runs, and is not called edited', () => {
  const decision = { behavior: 'allow', updatedInput: { command: 'date' } } as const
  const [row] = entries({ ...settled, decision })
  expect(row?.body).toMatchObject({ edited: false, approved: { command: 'date' } })
  expect(row?.body).not.toHaveProperty('shownSha256')
})

const kindOf = (event: object) => entries(event as SessionEvent)[0]

test('a question that was handed up or given more time, and a grant that ended, are recorded as such', () => {
  const { approvalId } = asked
  expect(kindOf({ type: 'approval.escalated', approvalId, by: 'ann', to: 'bob' })).toMatchObject({
    kind: 'escalated',
    body: { ...place, approvalId, by: 'ann', to: 'bob' },
  })
  expect(kindOf({ type: 'approval.extended', approvalId, by: 'ann' })?.kind).toBe('extended')
  expect(kindOf({ type: 'grant.expired', grantId: 'g' })).toMatchObject({
    kind: 'grant-expired',
    body: { ...place, grantId: 'g' },
  })
  expect(kindOf({ type: 'grant.revoked', grantId: 'g' })?.kind).toBe('grant-revoked')
  expect(
    kindOf({ type: 'grant.revoked', grantId: 'g' })?.body,
    'the state of a session is that of a question',
  ).not.toHaveProperty('mode')
})

test('a session, and the delivery of an answer, are recorded with their place', () => {
  const { turn: _, ...where } = place
  expect(sessionEntry('session-started', session, { at: 3, by: 'ann', caller: undefined })).toEqual({
    kind: 'session-started',
    at: 3,
    body: { ...where, ...state, by: 'ann' },
  })
  expect(deliveredEntry({ ...session, name: undefined, ancestors: [] }, 'a1', 4)).toEqual({
    kind: 'delivered',
    at: 4,
    body: { session: 's1', owner: 'operator', approvalId: 'a1' },
  })
})

test('a session is recorded as its child reports it, else as it was set, else as it was started', () => {
  const config = { permissionMode: 'plan', model: 'haiku' }
  const stored = { id: 's1', name: undefined, owner: 'operator', workingDirectory: '/p', config }
  const modeOf = (more: object, reported?: object) => {
    const { mode, model, cliVersion, ancestors } = recordedSession({
      session: { ...stored, ...more },
      state: reported,
    })
    return [mode, model, cliVersion, ancestors]
  }
  expect(modeOf({})).toEqual(['plan', 'haiku', undefined, []])
  expect(modeOf({ permissionMode: 'default', model: 'opus' })).toEqual(['default', 'opus', undefined, []])
  const reported = { permissionMode: 'auto', model: 'x', cliVersion: '2' }
  expect(modeOf({ permissionMode: 'default', model: 'opus' }, reported)).toEqual(['auto', 'x', '2', []])
})

test('a caller is recorded with how the hub knows it, and the client of a form', () => {
  const from = {
    id: asCallerId('device phone'),
    kind: 'device',
    name: 'phone',
    scopes: [],
    person: true,
  } as const
  expect(recordedCaller(from)).toStrictEqual(caller)
  expect(recordedCaller({ ...from, formClient: 'Code' })).toStrictEqual({ ...caller, client: 'Code' })
})

test('an id is kept as it is, and searched for secrets where it is longer than any id of ours', () => {
  const secret = `sk-ant-api03-${'A1b2'.repeat(60)}`
  const [short] = entries({ ...asked, toolUseId: secret.slice(0, 200) })
  expect(short?.body['toolUseId']).toBe(secret.slice(0, 200))
  const [long] = entries({ ...asked, toolUseId: secret.slice(0, 201) })
  expect(JSON.stringify(long)).not.toContain('A1b2')
  const [other] = entries({ ...asked, cwd: secret.slice(0, 100) })
  expect(JSON.stringify(other)).not.toContain('A1b2')
})

test('of the suggestions of the CLI their number is recorded', () => {
  const [row] = entries({ ...asked, suggestions: [{}, {}] })
  expect(row?.body).toMatchObject({ suggestions: 2 })
  expect(entries({ ...asked, suggestions: [] })[0]?.body).not.toHaveProperty('suggestions')
})

test('the verdict of a decision by a rule is copied', () => {
  const verdict = {
    effect: 'allow',
    drawer: 'rules',
    ruleId: 'git',
    text: 'git status',
    digest: 'ab',
  } as const
  const event: SessionEvent = { ...settled, via: 'rule', rule: 'git', verdict }
  expect(entries(event, asked)[0]?.body).toMatchObject({ rule: 'git', verdict })
})

test('of a form only the names of its fields are kept, and no secret is', () => {
  const content = { password: 'correct horse', user: 'me' }
  const [form] = entries({ ...settled, decision: { behavior: 'form', action: 'accept', content } }, asked)
  expect(form?.body).toMatchObject({
    action: 'accept',
    fields: ['password', 'user'],
    ranSha256: sha256Of(content),
  })
  expect(JSON.stringify(form)).not.toContain('correct horse')
  const secret = 'sk-ant-REDACTED'
  const input = { command: `curl -H "x-api-key: ${secret}" https://example.com` }
  expect(JSON.stringify(entries({ ...asked, input }))).not.toContain(secret)
})

test('a result is recorded by its hash, for a call that was asked about', () => {
  const finished = { type: 'tool.finished', toolUseId: 't1', isError: true, content: 'no such file' } as const
  expect(entries(finished)).toEqual([])
  expect(entries(finished, undefined, ['a1'])[0]).toMatchObject({
    kind: 'ran',
    body: { approvalId: 'a1', toolUseId: 't1', isError: true, resultSha256: sha256Of('no such file') },
  })
})

test('calls that were denied by our hook, refused by the CLI or not asked about are recorded; other events are not', () => {
  const seen = { type: 'tool.seen', requestId: 'h', toolUseId: 't', toolName: 'Bash', cwd: '/p' } as const
  expect(entries({ ...seen, opinion: 'deny' })[0]).toMatchObject({
    kind: 'hook-denied',
    body: { tool: 'Bash', cwd: '/p' },
  })
  expect(entries({ ...seen, opinion: 'ask' })).toEqual([])
  const call = { toolUseId: 't', toolName: 'Read' }
  expect(entries({ type: 'tool.unasked', ...call })[0]).toMatchObject({
    kind: 'unasked',
    body: { tool: 'Read' },
  })
  const rule = 'Bash(npm test) of allowedTools'
  expect(entries({ type: 'tool.unasked', ...call, rule })[0]?.body).toMatchObject({ rule })
  expect(entries({ type: 'tool.refused', ...call, message: 'no' })[0]?.kind).toBe('refused')
  expect(entries({ type: 'text', text: 'hello' })).toEqual([])
})

test('a call that no question shows is recorded with its input, its folder and what the rules said of it', () => {
  const input = { command: 'git push', token: 'sk-ant-REDACTED' }
  const verdict = { effect: 'deny', drawer: 'rules', ruleId: 'push', because: 'A person pushes.' } as const
  const about = { cwd: '/project/src', inputSha256: sha256Of(input), mode: 'default' }
  const seen = {
    type: 'tool.seen',
    requestId: 'h',
    toolUseId: 't',
    toolName: 'Bash',
    cwd: about.cwd,
  } as const
  const [denied] = entries({ ...seen, opinion: 'deny', input, verdict })
  expect(denied?.body).toMatchObject({ ...about, verdict, input: { command: 'git push' } })
  const running = { input, cwd: about.cwd, verdict }
  for (const type of ['tool.unasked', 'tool.refused'] as const) {
    const event = { type, toolUseId: 't', toolName: 'Bash', message: 'no' } as const
    const [row] = entries(event, undefined, [], running)
    expect(row?.body).toMatchObject({ ...about, verdict, input: { command: 'git push' } })
    expect(JSON.stringify(row)).not.toContain('sk-ant-')
  }
})

test('a text is kept as the log would print it, whatever is in it', () => {
  const parts = [
    'sk-ant-',
    'ghp_',
    'AKIA',
    'eyJ',
    '.',
    'Bearer ',
    'basic ',
    '?token=',
    'api_key: ',
    'PASSWORD=',
    ' ',
    'x',
  ]
  const part = fc.oneof(
    fc.constantFrom(...parts),
    fc.string({ unit: fc.constantFrom(...Array.from('abcXYZ019-_=')) }),
  )
  fc.assert(
    fc.property(fc.array(part), (given) => {
      expect(keptText(given.join(''))).toBe(redact(given.join('')))
    }),
    { numRuns: runs(2_000) },
  )
})

test('what is kept has a limit of length, of depth and of number, and the hash of the whole', () => {
  const long = 'x'.repeat(100_000)
  expect(kept(long)).toHaveLength(16_384 + `… (100000 characters, sha256 ${sha256Of(long)})`.length)
  let deep: unknown = 'end'
  for (let n = 0; n < 3_000; n++) deep = { deep }
  expect(JSON.stringify(kept(deep)).length).toBeLessThan(1_000)
  expect(kept(Array.from({ length: 5_000 }, (_, n) => n))).toHaveLength(1_001)
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]))
  expect(Object.keys(kept(many) as object)).toHaveLength(1_001)
  expect(kept({ a: [1, null, true, 'x'] })).toEqual({ a: [1, null, true, 'x'] })
})

test('what is at the limit is kept whole, and what is beyond has its hash', () => {
  expect(kept('x'.repeat(16_384))).toBe('x'.repeat(16_384))
  const list = Array.from({ length: 1_001 }, (_, n) => n)
  expect(kept(list.slice(1))).toEqual(list.slice(1))
  expect((kept(list) as unknown[]).at(-1)).toEqual({ sha256: sha256Of(list) })
  const fields = Object.fromEntries(list.map((n) => [`f${n}`, n]))
  expect(kept(fields)).toMatchObject({ '…': { sha256: sha256Of(fields) } })
  const { f0: _, ...fewer } = fields
  expect(kept(fewer)).toEqual(fewer)
  const nested = (depth: number): unknown => (depth === 0 ? {} : [nested(depth - 1)])
  expect(kept(nested(23))).toEqual(nested(23))
  expect(JSON.stringify(kept(nested(24)))).toContain(sha256Of({}))
})

test.each([
  'sk-ant-',
  'ghp_',
  'gho_',
  'ghu_',
  'ghs_',
  'ghr_',
  'github_pat_',
  'glpat-',
  'xoxb-',
  'npm_',
  'AKIA',
])('a secret that begins with %s is not kept', (start) => {
  const text = `${start}${'A1B2C3D4'.repeat(2)}`
  expect(keptText(text)).toBe(redact(text))
})

test('a text of 43 characters that could be a token of ours is not kept', () => {
  const token = `${'aB3-_'.repeat(8)}xyz`
  expect(keptText(token)).toBe(redact(token))
  expect(keptText(token)).not.toContain('aB3-_aB3')
})
