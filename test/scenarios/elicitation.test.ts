import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { StatusView } from '../../src/api/claude/status-view.ts'
import { say, type Scenario, tools, use } from '../../src/demo/scenario.ts'
import { ME, startEngine } from '../rig/engines.ts'
import { clients, type Filled, type Person } from '../rig/mcp-clients.ts'
import { MODEL, pairedClient } from '../rig/mcp-pair.ts'
import { inSteps, planned } from '../rig/mcp-parent.ts'
import { ALLOW, answering, resolvable } from '../rig/people.ts'
import { temporaryFolder } from '../rig/real-cli.ts'

const TOUCH: Scenario = { main: [tools(use('Bash', { command: 'touch made' })), say('It is made.')] }

const option = (label: string) => ({ label, description: `take ${label}` })

/** One for each protocol: the third speaks as the first does, and is asked over HTTP. */
const oneOfEach = clients.filter((kind) => kind !== '2025')

describe.each(oneOfEach)('with a client of %s whose connection lasts', (kind) => {
  const begin = async (scenario: Scenario, person: Person, options: object = {}) => {
    const rig = await startEngine('here on sqlite', scenario)
    const client = await pairedClient(kind, rig, { person })
    const start = async () => {
      const { sessionId } = await client.call<StatusView>('claude_start', { prompt: 'go', ...options })
      rig.track(await rig.engine.getSession(ME, { sessionId }))
      return sessionId
    }
    return { rig, client, start }
  }

  test('a person allows what is asked inside the waiting call, which goes on to the end', async () => {
    const { person, shown } = answering(ALLOW)
    const { rig, client, start } = await begin(TOUCH, person)
    const sessionId = await start()
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ status: 'done', result: 'It is made.' })
    expect(existsSync(join(rig.project, 'made'))).toBe(true)
    expect(shown).toHaveLength(1)
    expect(shown[0]?.message).toContain('command: touch made')
    expect(shown[0]?.requestedSchema.properties['decision']).toMatchObject({ enum: ['allow', 'deny'] })
    expect(await rig.event(sessionId, 'approval.settled')).toMatchObject({ by: 'a person at test' })
  })

  test('a call that begins a session is not begun again when its person has answered', async () => {
    const { person } = answering(ALLOW)
    const { rig, client } = await begin(TOUCH, person)
    const done = await client.call<StatusView>('claude_start', { prompt: 'go', waitSeconds: 50 })
    rig.track(await rig.engine.getSession(ME, { sessionId: done.sessionId }))
    expect(done).toMatchObject({ status: 'done', result: 'It is made.' })
    expect(await rig.engine.listSessions(ME, {})).toHaveLength(1)
  })

  test('a person says no, and why', async () => {
    const { person } = answering({
      action: 'accept',
      content: { decision: 'deny', reason: 'Use the other folder.' },
    })
    const { rig, client, start } = await begin(TOUCH, person)
    const sessionId = await start()
    await client.call('claude_status', { sessionId, waitSeconds: 50 })
    expect(await rig.event(sessionId, 'approval.settled')).toMatchObject({
      status: 'denied',
      decision: { message: 'Use the other folder.' },
    })
    expect(existsSync(join(rig.project, 'made'))).toBe(false)
  })

  test('to decline is to say no', async () => {
    const { person } = answering({ action: 'decline' })
    const { rig, client, start } = await begin(TOUCH, person)
    const sessionId = await start()
    await client.call('claude_status', { sessionId, waitSeconds: 50 })
    expect(await rig.event(sessionId, 'approval.settled')).toMatchObject({
      status: 'denied',
      decision: { message: 'The person who was asked said no.' },
    })
  })

  test('to cancel leaves the question as it is, and the person is not asked again until the client is', async () => {
    const { person, shown } = answering({ action: 'cancel' }, ALLOW)
    const { client, start } = await begin(TOUCH, person)
    const sessionId = await start()
    const asked = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(asked).toMatchObject({ status: 'awaiting_input', pendingQuestion: { toolName: 'Bash' } })
    expect(shown).toHaveLength(1)
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ status: 'done' })
    expect(shown).toHaveLength(2)
  })

  test('what does not fit decides nothing, and the caller is told', async () => {
    const { person } = answering({ action: 'accept', content: { decision: 'perhaps' } })
    const { client, start } = await begin(TOUCH, person)
    const sessionId = await start()
    const [status, note] = await client.texts('claude_status', { sessionId, waitSeconds: 50 })
    expect(JSON.parse(status ?? '')).toMatchObject({ status: 'awaiting_input' })
    expect(note).toContain('does not fit')
  })

  test('a plan is shown and approved', async () => {
    const { person, shown } = answering({ action: 'accept', content: { decision: 'approve' } })
    const scenario = inSteps([...planned('1. write it\n2. read it'), say('planned')])
    const { rig, client, start } = await begin(scenario, person, { permissionMode: 'plan' })
    const sessionId = await start()
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ status: 'done', result: 'planned' })
    expect(shown[0]?.message).toContain('1. write it\n2. read it')
    expect(await rig.event(sessionId, 'approval.settled')).toMatchObject({ status: 'allowed' })
  })

  test('two questions, one with several choices and one in own words, are one form', async () => {
    const questions = [
      {
        question: 'Which colours?',
        header: 'Colours',
        options: ['red', 'blue', 'green'].map(option),
        multiSelect: true,
      },
      {
        question: 'Which size?',
        header: 'Size',
        options: ['small', 'large'].map(option),
        multiSelect: false,
      },
    ]
    const { person, shown } = answering({
      action: 'accept',
      content: { answer1: ['red', 'green'], other2: 'in between' },
    })
    const scenario = { main: [tools(use('AskUserQuestion', { questions })), say('thanks')] }
    const { rig, client, start } = await begin(scenario, person)
    const sessionId = await start()
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ status: 'done', result: 'thanks' })
    expect(shown[0]?.requestedSchema.properties).toMatchObject({
      answer1: { type: 'array', items: { enum: ['red', 'blue', 'green'] } },
      answer2: { type: 'string', enum: ['small', 'large'] },
    })
    const answers = { 'Which colours?': 'red, green', 'Which size?': 'in between' }
    expect(await rig.event(sessionId, 'approval.settled')).toMatchObject({
      decision: { updatedInput: { answers } },
    })
  })

  test('several questions at once are put one after the other, also to who waits for any session', async () => {
    const outside = await temporaryFolder()
    const paths = ['a', 'b', 'c'].map((name) => join(outside, name))
    for (const path of paths) await writeFile(path, `text of ${path}`)
    let open = 0
    const most: number[] = []
    const shown: string[] = []
    const person: Person = async ({ message }) => {
      most.push(++open)
      shown.push(message)
      await immediate()
      open--
      return ALLOW
    }
    const reads = tools(...paths.map((path) => use('Read', { file_path: path })))
    const { rig, client, start } = await begin({ main: [reads, say('read')] }, person)
    const sessionId = await start()
    const done = await client.call<StatusView>('claude_status', { waitSeconds: 50 })
    expect(done).toMatchObject({ sessions: [{ sessionId, status: 'done', result: 'read' }] })
    expect(shown).toHaveLength(3)
    for (const path of paths) expect(shown.join()).toContain(`file_path: ${path}`)
    expect(Math.max(...most)).toBe(1)
    expect(rig.parts.errors).toEqual([])
  })

  test("a form of a child's MCP server is the person's to fill in", async () => {
    const server = join(import.meta.dirname, '../fixtures/asking-mcp-server.mjs')
    const mcpServers = { asking: { command: process.execPath, args: [server] } }
    const { person, shown } = answering({ action: 'accept', content: { name: 'Ann' } })
    const scenario = { main: [tools(use('mcp__asking__greet', {})), say('greeted')] }
    const rig = await startEngine('here on sqlite', scenario)
    const sessionId = await rig.start('go', { mcpServers, allowedTools: ['mcp__asking__greet'] })
    const client = await pairedClient(kind, rig, { person })
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ status: 'done', result: 'greeted' })
    expect(shown[0]?.message).toContain('Who are you?')
    expect(shown[0]?.requestedSchema).toMatchObject({
      properties: { name: { type: 'string' } },
      required: ['name'],
    })
    expect((await rig.event(sessionId, 'tool.finished')).content).toContain('"name":"Ann"')
  })

  test('S17: where only a person may answer, the one who is asked may, and the model may not', async () => {
    const { person } = answering({ action: 'cancel' }, ALLOW)
    const { client, start } = await begin(TOUCH, person, { answerers: 'person' })
    const sessionId = await start()
    const asked = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    const id = asked.pendingQuestion?.id
    await expect(client.call('claude_respond', { sessionId, id, answers: ['allow'] })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ status: 'done' })
  })

  test('S10: what cannot be seen is shown to the person as escapes, and what is long by its ends', async () => {
    const content = `\u001b[31mred\u001b[0m \u202Etxt.exe a\u200Bb\u2066 ${'x'.repeat(30_000)} end\nfile_path: other`
    const { person, shown } = answering({ action: 'cancel' })
    const write = use('Write', { file_path: 'a.txt', content })
    const { client, start } = await begin({ main: [tools(write), say('done')] }, person)
    const sessionId = await start()
    await client.call('claude_status', { sessionId, waitSeconds: 50 })
    const message = shown[0]?.message ?? ''
    expect(message).toContain('content: \\u{1b}[31mred\\u{1b}[0m \\u{202e}txt.exe a\\u{200b}b\\u{2066}')
    expect(message).toMatch(/\[… \d+ characters are not shown …\]/)
    expect(message).toContain('end\n    file_path: other')
    for (const hidden of ['\u001b', '\u202e', '\u200b', '\u2066']) expect(message).not.toContain(hidden)
    expect(message.length).toBeLessThan(6_000)
  })

  test('a session is never asked by a form', async () => {
    const { person, shown } = answering(ALLOW)
    const rig = await startEngine('here on sqlite', TOUCH)
    const parent = await rig.create({ nested: true })
    const caller = {
      id: `session ${parent.id}`,
      kind: 'session' as const,
      name: parent.id,
      scopes: ['nested'],
      person: false,
    }
    const client = await pairedClient(kind, rig, { person, caller })
    const { sessionId } = await client.call<StatusView>('claude_start', {
      prompt: 'go',
      workingDirectory: rig.project,
    })
    rig.track(await rig.engine.getSession(ME, { sessionId }))
    await rig.question(sessionId)
    const asked = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 2 })
    expect(asked).toMatchObject({ status: 'awaiting_input' })
    expect(shown).toEqual([])
  })

  test('when somebody else is first, the person is told, and nothing breaks', async () => {
    const asked = resolvable<void>()
    const answer = resolvable<Filled>()
    const person: Person = (_, signal) => {
      signal.addEventListener('abort', () => answer.resolve({ action: 'cancel' }))
      asked.resolve()
      return answer.promise
    }
    const { rig, client, start } = await begin(TOUCH, person)
    const sessionId = await start()
    const told = client.texts('claude_status', { sessionId, waitSeconds: 50 })
    await asked.promise
    const { id } = await rig.question(sessionId)
    await rig.engine.answer(ME, { approvalId: id, answers: ['deny'], message: 'No.' })
    if (kind === '2026') answer.resolve(ALLOW)
    const [status, note] = await told
    expect(JSON.parse(status ?? '')).toMatchObject({ status: 'done' })
    expect(note).toContain('denied by operator')
    expect(existsSync(join(rig.project, 'made'))).toBe(false)
    await answer.promise // the form was taken back, where it could be
  })
})

describe('with a client of the older protocol whose connection lasts', () => {
  test('a form outlives the call that it was put in, and a late answer counts', async () => {
    const asked = resolvable<void>()
    const answer = resolvable<Filled>()
    const rig = await startEngine('here on sqlite', TOUCH)
    const client = await pairedClient('sdk 1', rig, {
      person: () => {
        asked.resolve()
        return answer.promise
      },
    })
    const sessionId = await rig.start()
    await rig.question(sessionId)
    const status = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 2 })
    expect(status).toMatchObject({ status: 'awaiting_input', pendingQuestion: { toolName: 'Bash' } })
    await asked.promise
    answer.resolve(ALLOW)
    expect(await rig.event(sessionId, 'approval.settled')).toMatchObject({ status: 'allowed' })
  })

  test('a person is asked also while no call is open', async () => {
    const { person, shown } = answering(ALLOW)
    const rig = await startEngine('here on sqlite', TOUCH)
    const client = await pairedClient('sdk 1', rig, { person })
    const { sessionId } = await client.call<StatusView>('claude_start', { prompt: 'go' })
    rig.track(await rig.engine.getSession(ME, { sessionId }))
    expect(await rig.event(sessionId, 'turn.ended')).toMatchObject({ result: 'It is made.' })
    expect(shown).toHaveLength(1)
  })

  test('a client is asked about its own sessions only', async () => {
    const { person, shown } = answering(ALLOW)
    const rig = await startEngine('here on sqlite', TOUCH)
    const caller = { ...MODEL, id: 'client other', kind: 'client' as const, name: 'other' }
    const client = await pairedClient('sdk 1', rig, { person, caller })
    const sessionId = await rig.start()
    await rig.question(sessionId)
    await expect(client.call('claude_status', { sessionId, waitSeconds: 1 })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await client.call('claude_status', { waitSeconds: 1 })).toMatchObject({ status: 'done' })
    expect(shown).toEqual([])
  })
})
