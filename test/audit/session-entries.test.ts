import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { kept, keptText } from '../../src/audit/kept-input.ts'
import { entriesOf, type KnownCalls } from '../../src/audit/session-entries.ts'
import { sha256Of } from '../../src/base/ids.ts'
import { redact } from '../../src/base/log.ts'
import { VERSION } from '../../src/base/version.ts'
import type { EventOf, SessionEvent } from '../../src/events/session-event.ts'
import { opened } from '../rig/cli/event-stories.ts'

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
    { numRuns: 2_000 },
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
