import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { SESSION_MARK } from '../../../src/system/session-mark.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { type PaperTerminals, paperTerminals } from '../../rig/terminals/paper-terminals.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { heldTimers } from '../../rig/tools/held-timers.ts'

const me = { caller: CALLERS.operator }
const decision = (fields: object) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: fields },
})
const ended = (place: PaperTerminals, approvalId: string) =>
  eventually(async () => {
    const asked = await place.app.engine.getApproval(me, { approvalId })
    expect(asked.status).not.toBe('pending')
    return asked
  })

test('S71: an allow reaches the terminal with the input that was shown, and a denial with its reason', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal()
  const first = await terminal.asksWaiting()
  const asked = await place.theQuestion()
  expect(asked).toMatchObject({ carrier: 'terminal', kind: 'tool', toolName: 'Bash' })
  await place.app.engine.answer(me, { approvalId: asked.id, approve: true })
  expect(await first.reply).toEqual(
    decision({ behavior: 'allow', updatedInput: { command: 'mkdir made-here' } }),
  )
  expect(await ended(place, asked.id)).toMatchObject({ status: 'allowed', delivery: 'sent', by: 'operator' })

  const second = terminal.asks()
  await place.app.engine.answer(me, {
    approvalId: (await place.theQuestion()).id,
    approve: false,
    message: 'Not now.',
  })
  expect(await second).toEqual(decision({ behavior: 'deny', message: 'Not now.' }))
  expect(place.errors).toEqual([])
})

const setMode = (mode: string) => ({ type: 'setMode', mode, destination: 'session' })

test('S71: a plan is approved with its text, and into the mode that asks unless the person chose another', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal()
  const plan = { tool_name: 'ExitPlanMode', tool_input: { plan: '# Plan' } }
  const answers = [
    [{}, { updatedPermissions: [setMode('default')] }],
    [{ permissionMode: 'acceptEdits' as const }, { updatedPermissions: [setMode('acceptEdits')] }],
  ] as const
  for (const [chosen, given] of answers) {
    const { reply } = await terminal.asksWaiting(plan)
    const { id: approvalId, kind } = await place.theQuestion()
    expect(kind).toBe('plan')
    await place.app.engine.answer(me, { approvalId, approve: true, ...chosen })
    expect(await reply).toEqual(decision({ behavior: 'allow', updatedInput: { plan: '# Plan' }, ...given }))
  }
})

test('S71: what was remembered with an answer answers the same call of that terminal, and of no other', async () => {
  const place = await paperTerminals()
  const [terminal, other] = [await place.terminal(), await place.terminal()]
  const { reply } = await terminal.asksWaiting()
  const { id: approvalId } = await place.theQuestion()
  await place.app.engine.answer(me, { approvalId, approve: true, remember: 'session' })
  await reply
  const again = await terminal.asksWaiting()
  expect(await again.reply).toMatchObject(decision({ behavior: 'allow' }))
  await other.asksWaiting()
  expect(await place.theQuestion()).toMatchObject({ sessionId: other.sessionId })
})

test('S71: a rule decides about a question of a terminal, and what it forbids no answer allows', async () => {
  const rules = {
    v: 1,
    forbid: [{ id: 'no-force', command: 'git push --force', because: 'It loses work.' }],
    rules: [
      { id: 'tests', effect: 'allow', command: 'npm test' },
      { id: 'no-push', effect: 'deny', command: 'git push', because: 'A person pushes.' },
    ],
  }
  const place = await paperTerminals({ rules })
  const terminal = await place.terminal()
  const asked = async (command: string) =>
    (await terminal.asksWaiting({ tool_input: { command } })).reply.then((reply) => JSON.stringify(reply))
  expect(await asked('npm test')).toContain('"behavior":"allow"')
  expect(await asked('git push')).toContain('A person pushes.')
  expect(await asked('git push --force')).toContain('It loses work.')
  const decided = await place.app.engine.decisions(me, {})
  expect(decided.map(({ status, via }) => [status, via])).toEqual([
    ['denied', 'rule'],
    ['denied', 'rule'],
    ['allowed', 'rule'],
  ])
  const { reply } = await terminal.asksWaiting({ tool_input: { command: 'mkdir x' } })
  const { id: approvalId } = await place.theQuestion()
  const edited = { approvalId, approve: true, updatedInput: { command: 'git push --force' } }
  await expect(place.app.engine.answer(me, edited)).rejects.toMatchObject({ code: 'forbidden' })
  await place.app.engine.answer(me, { approvalId, approve: false })
  expect(await reply).toMatchObject(decision({ behavior: 'deny' }))
})

test('S72: what is no question of a person in a terminal gets no opinion, and is not stored', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal()
  const marked = spawn('sleep', ['600'], { env: { PATH: '/usr/bin:/bin', [SESSION_MARK]: 'a-session' } })
  onTestFinished(() => void marked.kill('SIGKILL'))
  const child = await place.terminal({ pid: marked.pid ?? 0 })
  const gone = new AbortController().signal
  const replies = await Promise.all([
    child.asks(),
    terminal.asks({ hook_event_name: 'PreToolUse' }),
    terminal.asks({ session_id: '00000000-0000-4000-8000-00000000000f' }),
    terminal.asks({ tool_input: 'no object' }),
    terminal.asks({ transcript_path: 'config/projects/x/y.jsonl' }),
    place.ask({ hookInput: { nothing: true }, cliPid: terminal.pid, askId: 'a' }, gone),
    place.ask({ hookInput: [], cliPid: 1, askId: 'a' }, gone),
  ])
  expect(replies).toEqual(replies.map(() => ({})))
  expect(await place.pending()).toEqual([])
  expect(await place.app.engine.decisions(me, {})).toEqual([])
})

test('R44: what is answered in the terminal ends here, and a later answer is refused', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal()
  const { reply } = await terminal.asksWaiting()
  const { id: approvalId } = await place.theQuestion()
  await terminal.says({ status: 'busy' })
  expect(await reply).toEqual({})
  expect(await ended(place, approvalId)).toMatchObject({
    status: 'withdrawn',
    end: 'answered in the terminal',
  })
  const late = place.app.engine.answer(me, { approvalId, approve: true })
  await expect(late).rejects.toThrow('answered in the terminal')
})

test('R44: a dialog is never held back: what does not wait in the terminal is left to it', async () => {
  const pass = heldTimers()
  const place = await paperTerminals()
  const terminal = await place.terminal({ status: 'busy' })
  const reply = terminal.asks({ agent_id: 'a-background-agent' })
  await place.theQuestion()
  await pass(1_999)
  expect(await place.pending()).toHaveLength(1)
  await pass(1)
  expect(await reply).toEqual({})
  const [left] = await place.app.engine.decisions(me, {})
  expect(left).toMatchObject({ status: 'withdrawn', end: 'left to the terminal' })
  await terminal.waits()
  const { outside, status } = await place.session(terminal.sessionId, (one) => one.status === 'waiting')
  expect({ outside, status }).toMatchObject({
    status: 'waiting',
    outside: { waitingFor: 'permission prompt' },
  })
})

test('a question ends with its relay, and with its terminal', async () => {
  const pass = heldTimers()
  const place = await paperTerminals()
  const terminal = await place.terminal()
  const relay = new AbortController()
  const { reply } = await terminal.asksWaiting({ gone: relay.signal })
  const first = await place.theQuestion()
  relay.abort()
  expect(await reply).toEqual({})
  expect(await ended(place, first.id)).toMatchObject({ end: 'answered in the terminal' })

  const { reply: other } = await terminal.asksWaiting()
  const second = await place.theQuestion()
  await terminal.ends()
  await pass(2_000) // all terminals are looked at again: one that is killed changes no file
  expect(await other).toEqual({})
  expect(await ended(place, second.id)).toMatchObject({ status: 'withdrawn' })
  await place.session(terminal.sessionId, (one) => one.stopped === true && one.outside === undefined)
})

test('a relay that goes while its question is stored leaves no question behind', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal()
  const { reply } = await terminal.asksWaiting({ gone: AbortSignal.abort() })
  expect(await reply).toEqual({})
  expect(await place.pending()).toEqual([])
})

test('R44: a relay that asks the next hub joins its question, and gets an answer that was given before again', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal()
  const { reply } = await terminal.asksWaiting({ askId: 'a-relay' })
  const asked = await place.theQuestion()
  await place.close()
  expect(await reply).toBe(undefined)

  await place.open()
  const again = terminal.asks({ askId: 'a-relay' })
  expect((await place.theQuestion()).id).toBe(asked.id)
  await place.app.engine.answer(me, { approvalId: asked.id, approve: true })
  const allow = decision({ behavior: 'allow', updatedInput: { command: 'mkdir made-here' } })
  expect(await again).toEqual(allow)
  expect(await terminal.asks({ askId: 'a-relay' })).toEqual(allow)
  expect(await place.app.engine.decisions(me, {})).toHaveLength(1)
})

test('R44: a question whose relay does not come back to the next hub is left to its terminal', async () => {
  const pass = heldTimers()
  const place = await paperTerminals()
  const terminal = await place.terminal()
  await terminal.asksWaiting()
  const asked = await place.theQuestion()
  await place.close()
  await place.open()
  await pass(9_999)
  expect(await place.pending()).toHaveLength(1)
  await pass(1)
  expect(await ended(place, asked.id)).toMatchObject({ end: 'left to the terminal' })
})

test('R44: silence is no denial, also where the session has a time limit', async () => {
  const place = await paperTerminals()
  const session = await place.app.engine.createSession(me, {
    options: StartOptions.parse({ workingDirectory: join(place.folder, 'project') }),
    timeoutMs: 50,
  })
  const terminal = await place.terminal({ sessionId: session.id })
  await place.app.engine.handOver(me, { sessionId: session.id, to: 'terminal', pid: terminal.pid })
  const { reply } = await terminal.asksWaiting()
  const asked = await place.theQuestion()
  expect(asked).toMatchObject({ sessionId: session.id })
  expect(asked.expiresAt).toBe(undefined)
  await place.close()
  await place.open()
  expect((await place.theQuestion()).expiresAt).toBe(undefined)
  await reply
})

const call = (id: string, command: string) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
})
const result = (id: string) => ({
  type: 'user',
  timestamp: new Date(Date.now() + 1_000).toISOString(),
  message: { content: [{ type: 'tool_result', tool_use_id: id }] },
})

test('of two questions at once the transcript says which is over, and that a hook decided it', async () => {
  const pass = heldTimers()
  const place = await paperTerminals()
  const terminal = await place.terminal()
  const calls = [call('one', 'mkdir one'), call('two', 'mkdir two'), call('three', 'mkdir three')]
  await terminal.writesTranscript(calls)
  await terminal.waits()
  const replies = ['one', 'two', 'three'].map((name) =>
    terminal.asks({ tool_input: { command: `mkdir ${name}` } }),
  )
  const asked = await eventually(async () => {
    const open = await place.pending()
    expect(open).toHaveLength(3)
    return open
  })
  const idOf = (name: string) => asked.find(({ input }) => input['command'] === `mkdir ${name}`)?.id ?? ''
  const attachment = { type: 'hook_permission_decision', decision: 'allow', toolUseID: 'two' }
  await terminal.writesTranscript([
    ...calls,
    result('one'),
    { type: 'attachment', timestamp: result('').timestamp, attachment },
    result('two'),
  ])
  await pass(1_000)
  expect(await replies[0]).toEqual({})
  expect(await replies[1]).toEqual({})
  expect(await ended(place, idOf('one'))).toMatchObject({ end: 'answered in the terminal' })
  expect(await ended(place, idOf('two'))).toMatchObject({ end: 'decided by a hook' })
  expect(await place.theQuestion()).toMatchObject({ id: idOf('three') })
  // A hook may also decide while the terminal waits, and that stands in the transcript only when the call has ended.
  await terminal.says({ status: 'busy' })
  expect(await replies[2]).toEqual({})
  await terminal.writesTranscript([
    ...calls,
    {
      ...result(''),
      type: 'attachment',
      message: undefined,
      attachment: { ...attachment, toolUseID: 'three' },
    },
    result('three'),
  ])
  await pass(1_000)
  await eventually(async () => {
    expect(await ended(place, idOf('three'))).toMatchObject({ end: 'decided by a hook' })
  })
})

test('R44: twenty terminals wait, and each gets its own answer', async () => {
  const place = await paperTerminals()
  const names = Array.from({ length: 20 }, (_, index) => `folder-${index}`)
  const waiting = await Promise.all(
    names.map(async (name) => {
      const terminal = await place.terminal()
      return terminal.asksWaiting({ tool_input: { command: `mkdir ${name}` } })
    }),
  )
  const asked = await eventually(async () => {
    const open = await place.pending()
    expect(open).toHaveLength(20)
    return open
  })
  for (const { id, input } of asked)
    await place.app.engine.answer(me, {
      approvalId: id,
      approve: false,
      message: `No ${String(input['command'])}.`,
    })
  const answers = await Promise.all(waiting.map(async ({ reply }) => JSON.stringify(await reply)))
  names.forEach((name, index) => expect(answers[index]).toContain(`No mkdir ${name}.`))
})
