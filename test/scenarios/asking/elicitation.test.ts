import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { say, type Scenario, tools, use } from '../../../src/demo/scenario.ts'
import { ME, startEngine } from '../../rig/hubs/engines.ts'
import { type ClientKind, type Person } from '../../rig/clients/mcp-clients.ts'
import { pairedClient } from '../../rig/clients/mcp-pair.ts'
import { inSteps, planned } from '../../rig/clients/mcp-parent.ts'
import { ALLOW, answering } from '../../rig/clients/people.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

const TOUCH: Scenario = { main: [tools(use('Bash', { command: 'touch made' })), say('It is made.')] }

const option = (label: string) => ({ label, description: `take ${label}` })

const begin = async (kind: ClientKind, scenario: Scenario, person: Person, options: object = {}) => {
  const rig = await startEngine('here on sqlite', scenario)
  const client = await pairedClient(kind, rig, { person })
  const start = async () => {
    const { sessionId } = await client.call<StatusView>('claude_start', { prompt: 'go', ...options })
    rig.track(await rig.engine.getSession(ME, { sessionId }))
    return sessionId
  }
  return { rig, client, start }
}

describe.each(['sdk 1', '2026'] as const)('with a client of %s whose connection lasts', (kind) => {
  test('S43: a call that begins a session returns its id, and is not begun again when its person has answered', async () => {
    const { person, shown } = answering(ALLOW)
    const { rig, client } = await begin(kind, TOUCH, person)
    const started = await client.call<StatusView>('claude_start', { prompt: 'go', waitSeconds: 50 })
    const { sessionId } = started
    rig.track(await rig.engine.getSession(ME, { sessionId }))
    // Where the form would be the result, the id comes first, with the question.
    const first = kind === '2026' ? 'awaiting_input' : 'done'
    expect({ status: started.status, shown: shown.length }).toEqual({
      status: first,
      shown: kind === '2026' ? 0 : 1,
    })
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ sessionId, status: 'done', result: 'It is made.' })
    expect(existsSync(join(rig.project, 'made'))).toBe(true)
    expect(shown).toHaveLength(1)
    expect(shown[0]?.message).toContain('command: touch made')
    expect(shown[0]?.requestedSchema.properties['decision']).toMatchObject({
      enum: ['allow', 'deny', expect.stringContaining('): allow command "touch made", in session "')],
    })
    expect(await rig.engine.listSessions(ME, {})).toHaveLength(1)
  })

  test('the person chooses the rule whose text is in the form, and is not asked about such a call again (asked for: 9)', async () => {
    const twice = tools(use('Bash', { command: 'install -d made' }))
    const shown: string[] = []
    const person: Person = ({ requestedSchema }) => {
      const { enum: options = [] } = Object(requestedSchema.properties['decision']) as { enum?: string[] }
      shown.push(options.at(-1) ?? '')
      return { action: 'accept', content: { decision: shown.at(-1) ?? '' } }
    }
    const { rig, client, start } = await begin(kind, { main: [twice, twice, say('made')] }, person)
    const sessionId = await start()
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ status: 'done', result: 'made' })
    expect(shown).toHaveLength(1)
    const [grant] = await rig.engine.listGrants(ME, { sessionId })
    expect(grant?.scope).toBe('session')
    expect(shown[0]).toMatch(
      /^allow, and do not ask again in this session \(r-[0-9a-f]{12}\): allow command /,
    )
    expect(shown[0]?.endsWith(`: ${grant?.texts[0]}`)).toBe(true)
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
    const { rig, client, start } = await begin(kind, { main: [reads, say('read')] }, person)
    const sessionId = await start()
    const done = await client.call<StatusView>('claude_status', { waitSeconds: 50 })
    expect(done).toMatchObject({ sessions: [{ sessionId, status: 'done', result: 'read' }] })
    expect(shown).toHaveLength(3)
    for (const path of paths) expect(shown.join()).toContain(`file_path: ${path}`)
    expect(Math.max(...most)).toBe(1)
    expect(rig.parts.errors).toEqual([])
  })
})

describe('a form', () => {
  test('a plan is shown and approved', async () => {
    const { person, shown } = answering({ action: 'accept', content: { decision: 'approve' } })
    const scenario = inSteps([...planned('1. write it\n2. read it'), say('planned')])
    const { rig, client, start } = await begin('2026', scenario, person, { permissionMode: 'plan' })
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
    const { rig, client, start } = await begin('sdk 1', scenario, person)
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

  test("a form of a child's MCP server is the person's to fill in", async () => {
    const server = join(import.meta.dirname, '../../fixtures/asking-mcp-server.mjs')
    const mcpServers = { asking: { command: process.execPath, args: [server] } }
    const { person, shown } = answering({ action: 'accept', content: { name: 'Ann' } })
    const scenario = { main: [tools(use('mcp__asking__greet', {})), say('greeted')] }
    const rig = await startEngine('here on sqlite', scenario)
    const sessionId = await rig.start('go', { mcpServers, allowedTools: ['mcp__asking__greet'] })
    const client = await pairedClient('2026', rig, { person })
    const done = await client.call<StatusView>('claude_status', { sessionId, waitSeconds: 50 })
    expect(done).toMatchObject({ status: 'done', result: 'greeted' })
    expect(shown[0]?.message).toContain('Who are you?')
    expect(shown[0]?.requestedSchema).toMatchObject({
      properties: { name: { type: 'string' } },
      required: ['name'],
    })
    expect((await rig.event(sessionId, 'tool.finished')).content).toContain('"name":"Ann"')
  })

  test('S10: what cannot be seen is shown to the person as escapes, and what is long by its ends', async () => {
    const content = `\u001b[31mred\u001b[0m \u202Etxt.exe a\u200Bb\u2066 ${'x'.repeat(30_000)} end\nfile_path: other`
    const { person, shown } = answering({ action: 'cancel' })
    const write = use('Write', { file_path: 'a.txt', content })
    const { client, start } = await begin('sdk 1', { main: [tools(write), say('done')] }, person)
    const sessionId = await start()
    await client.call('claude_status', { sessionId, waitSeconds: 50 })
    const message = shown[0]?.message ?? ''
    expect(message).toContain('content: \\u{1b}[31mred\\u{1b}[0m \\u{202e}txt.exe a\\u{200b}b\\u{2066}')
    expect(message).toMatch(/\[… \d+ characters are not shown …\]/)
    expect(message).toContain('end\n    file_path: other')
    for (const hidden of ['\u001b', '\u202e', '\u200b', '\u2066']) expect(message).not.toContain(hidden)
    expect(message.length).toBeLessThan(6_000)
  })
})
