/** Refusals name fields as the client does. */
import { expect, test } from 'vitest'
import { decisionFrom } from '../../src/approvals/answer.ts'
import type { Caller } from '../../src/callers/access-rules.ts'
import { tools, use } from '../../src/demo/scenario.ts'
import { answerRpc } from '../../src/transports/routes/rpc.ts'
import { anApproval } from '../contracts/rows.ts'
import { type EngineRig, ME, startEngine } from '../rig/hubs/engines.ts'
import { isWithoutCli } from '../rig/cli/real-cli.ts'
import { MODEL } from '../rig/clients/mcp-pair.ts'
import { asCallerId } from '../rig/tools/ids.ts'

const CHILD: Caller = { id: asCallerId('session s1'), kind: 'session', name: 's1', scopes: [], person: false }
const CLIENT: Caller = {
  id: asCallerId('client editor'),
  kind: 'client',
  name: 'editor',
  scopes: [],
  person: false,
}

async function rpc(rig: EngineRig, method: string, params: object, caller: Caller = ME.caller) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return answerRpc({ engine: rig.parts.app.engine, onError: () => {}, onRefused: () => {} }, { caller }, body)
}
const message = (part: string | RegExp) => expect.stringMatching(part) as string

test('the second family names the fields as its callers do', async () => {
  const rig = await startEngine('here on memory')
  const working_dir = rig.project
  const wrong: [method: string, params: object, field: string | undefined, sentence: RegExp][] = [
    ['claudecode.create', { max_turns: 'x' }, 'max_turns', /^max_turns must/],
    ['claudecode.create', { working_dir: 7 }, 'working_dir', /^working_dir must/],
    ['claudecode.create', { working_directory: 7 }, 'working_directory', /^working_directory must/],
    ['claudecode.create', { timeout_seconds: -1 }, 'timeout_seconds', /^timeout_seconds may/],
    [
      'claudecode.create',
      { loopback_timeout_secs: -1 },
      'loopback_timeout_secs',
      /^loopback_timeout_secs may/,
    ],
    [
      'claudecode.create',
      { working_dir, dangerously_skip_permissions: true, permission_mode: 'plan', loopback_enabled: true },
      'dangerously_skip_permissions',
      /^dangerously_skip_permissions cannot go with permission_mode plan/,
    ],
    ['loopback.respond', { approval_id: 'x', approve: true, allow: false }, 'approve', /approve and allow/],
    [
      'loopback.respond',
      { approval_id: 'x', approve: true, remember: true, remember_seconds: 0 },
      'remember_seconds',
      /^remember_seconds /,
    ],
    [
      'loopback.respond',
      { approval_id: 'x', approve: true, remember: true, remember_rule: 7 },
      'remember_rule',
      /^remember_rule /,
    ],
  ]
  for (const [method, params, field, sentence] of wrong)
    expect([params, await rpc(rig, method, params)]).toMatchObject([
      params,
      { result: { type: 'error', code: 'invalid_input', field, message: message(sentence) } },
    ])
})

test('a refusal of a child that only asks has the form of each family', async () => {
  const rig = await startEngine('here on memory')
  for (const method of ['claudecode.create', 'loopback.respond', 'loopback.pending'])
    expect(await rpc(rig, method, {}, CHILD)).toMatchObject({
      result: { type: 'error', code: 'forbidden', message: message('loopback.permit') },
    })
  const other = { tool_name: 'Bash', input: {}, tool_use_id: 't', session_id: 'another' }
  // What the CLI would take for an answer must not be one.
  expect(await rpc(rig, 'loopback.permit', other, CHILD)).toMatchObject({
    error: { data: { code: 'forbidden' } },
  })
  for (const method of ['claude_start', 'listSessions'])
    expect(await rpc(rig, method, {}, CHILD)).toMatchObject({ error: { data: { code: 'forbidden' } } })
})

test('the error for an unknown method lists all methods', async () => {
  const rig = await startEngine('here on memory')
  const { error } = (await rpc(rig, 'claude.start', {})) as { error: { code: number; message: string } }
  expect(error.code).toBe(-32601)
  for (const name of ['createSession', 'claude_start', 'claudecode.create', 'loopback.respond'])
    expect(error.message).toContain(name)
})

test('the refusal to switch off questions says who could do it', async () => {
  const rig = await startEngine('here on memory')
  const start = { prompt: 'go', workingDirectory: rig.project, permissionMode: 'bypassPermissions' }
  expect(await rpc(rig, 'claude_start', start, MODEL)).toMatchObject({
    error: { message: message('plexus mcp --allow-bypass') },
  })
  expect(await rpc(rig, 'claude_start', start, CLIENT)).toMatchObject({
    error: { message: message(/config\.json.*plexus mcp --allow-bypass/) },
  })
})

test('a session without questions needs no mode, and claudecode.chat may wait for it', async () => {
  const rig = await startEngine('here on memory')
  const made = await rpc(rig, 'claudecode.create', {
    working_dir: rig.project,
    name: 'free',
    options: { dangerously_skip_permissions: true },
  })
  expect(made).toMatchObject({ result: { type: 'created' } })
  rig.track(await rig.engine.getSession(ME, { sessionId: 'free' }))
  expect(await rpc(rig, 'claudecode.chat', { name: 'free', command: 'clear' })).not.toMatchObject({
    result: { code: 'would_deadlock' },
  })
})

test('approve is not an answer to a question with other options', () => {
  const input = { questions: [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }] }
  const asked = anApproval({ kind: 'question', toolName: 'AskUserQuestion', input })
  const answered = (answer: string) => decisionFrom(asked, { answers: [answer] })
  for (const word of ['allow', 'deny', 'approve', ' Accept '])
    expect(() => answered(word)).toThrow(/not one of the options: Red, Blue/)
  for (const word of ['Red', 'Green, please', 'red'])
    expect(answered(word)).toMatchObject({ behavior: 'allow' })
  const yesNo = { questions: [{ question: 'Allow it?', options: [{ label: 'Allow' }, { label: 'Deny' }] }] }
  expect(decisionFrom({ ...asked, input: yesNo }, { answers: ['allow'] })).toMatchObject({
    behavior: 'allow',
  })
  const open = { questions: [{ question: 'What shall I say?', options: [] }] }
  expect(decisionFrom({ ...asked, input: open }, { answers: ['allow'] })).toMatchObject({ behavior: 'allow' })
})

test.skipIf(isWithoutCli)('claudecode.interrupt says that the session was interrupted', async () => {
  const rig = await startEngine('here on memory', { main: [tools(use('Bash', { command: 'touch a' }))] })
  const sessionId = await rig.start()
  await rig.question(sessionId)
  const interrupt = { session_id: sessionId }
  expect(await rpc(rig, 'claudecode.interrupt', interrupt)).toMatchObject({
    result: { type: 'ok', status: 'failed', interrupted: true },
  })
})
