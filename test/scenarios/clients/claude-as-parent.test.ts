/** The product in one test: a Claude Code that supervises another. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import type { ModelRequest } from '../../../src/demo/model-request.ts'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import { programPath } from '../../rig/tools/build-programs.ts'
import { hubPlace, type HubPlace } from '../../rig/hubs/hub.ts'
import { READING_MS } from '../../rig/clients/people.ts'
import { connected, type PipedCli, startPipedCliIn } from '../../rig/cli/piped-cli.ts'
import { cliVersion } from '../../rig/cli/real-cli.ts'

const ALLOWED =
  '--allowedTools=mcp__plexus__claude_start,mcp__plexus__claude_status,mcp__plexus__claude_respond'
const CHILD_TASK = 'Make the file.'
const childSays: Reply[] = [tools(use('Bash', { command: 'touch made' })), say('The file is made.')]

/** What the parent was told by the tool that it called last, and what its model says to that. */
function parentSays(last: ModelRequest['toolResults'][number] | undefined, project: string): Reply {
  if (!last) return call('claude_start', { prompt: CHILD_TASK, workingDirectory: project })
  if (last.isError) return say(`failed: ${last.text}`)
  const { sessionId, status, pendingQuestion, result } = JSON.parse(
    /^\{.*\}/s.exec(last.text)?.[0] ?? '{}',
  ) as StatusView
  if (pendingQuestion)
    return pendingQuestion.input['command'] === 'touch made'
      ? call('claude_respond', { sessionId, id: pendingQuestion.id, answers: ['allow'] })
      : say('This is not what it should do.')
  return status === 'active' ? call('claude_status', { sessionId }) : say(`My child says: ${result}`)
}

const call = (name: string, input: object): Reply => tools(use(`mcp__plexus__${name}`, input))

async function aPlace(): Promise<HubPlace> {
  let told = 0
  const place: HubPlace = await hubPlace({
    scenario: {
      main: (request) => {
        const isChild = JSON.stringify(request.body.messages).includes(CHILD_TASK) && !isParent(request)
        return isChild
          ? (childSays[told++] ?? say('done'))
          : parentSays(request.toolResults.at(-1), place.project)
      },
    },
  })
  return place
}

const isParent = ({ body }: ModelRequest): boolean =>
  JSON.stringify(body.messages).includes('Let a child do it.')

/** The tool whose result this request brings. */
function lastCall({ body, toolResults }: ModelRequest): string | undefined {
  const id = toolResults.at(-1)?.toolUseId ?? 'none'
  return new RegExp(`"id":"${id}","name":"mcp__plexus__(\\w+)"`).exec(JSON.stringify(body.messages))?.[1]
}

/** What the parent has called. */
const calls = ({ model }: HubPlace) => model.requests.filter(isParent).map(lastCall)

interface Connection {
  /** As whoever configured it wants it. */
  readonly ask?: string
  /** It comes from a terminal. */
  readonly isTerminal?: boolean
}

/** How the parent comes by the six tools. */
const servers: Record<string, (place: HubPlace, connection: Connection) => Promise<object>> = {
  HTTP: async (place, { ask, isTerminal }) => {
    const hub = await place.start()
    const agent = isTerminal ? { 'User-Agent': `claude-code/${cliVersion()} (cli)` } : {}
    return {
      type: 'http',
      url: `${hub.url}/mcp${ask === undefined ? '' : `?ask=${ask}`}`,
      headers: { Authorization: `Bearer ${hub.token}`, ...agent },
    }
  },
  stdio: async (place, { ask, isTerminal }) => {
    place.startsHubs()
    const asking = ask === undefined ? [] : ['--ask', ask]
    const args = [programPath('plexus'), 'mcp', '--home', place.home, ...asking]
    const entry = isTerminal ? { CLAUDE_CODE_ENTRYPOINT: 'cli' } : {}
    return { command: process.execPath, args, env: { ...place.env, ...entry } }
  },
}

/** A parent with the six tools, whose host says nothing to its forms unless it is made to. */
async function parentAt(place: HubPlace, server: object): Promise<PipedCli> {
  const config = join(place.folder, 'parent.json')
  await writeFile(config, JSON.stringify({ mcpServers: { plexus: server } }), { mode: 0o600 })
  const there = { home: join(place.folder, 'parent-home'), cwd: place.folder }
  const parent = await startPipedCliIn(there, place.model.url, `--mcp-config=${config}`, ALLOWED)
  await connected(parent)
  return parent
}

/** What its host was asked. */
const forms = ({ lines }: PipedCli) => lines.filter(({ type }) => type === 'control_request')

describe.each(Object.entries(servers))('over %s', (_, serverAt) => {
  test('S40: a Claude Code whose host never answers a form starts another, is asked at once, and answers', async () => {
    const place = await aPlace()
    const parent = await parentAt(place, await serverAt(place, {}))
    parent.say('Let a child do it.')
    expect(await parent.result()).toMatchObject({ result: 'My child says: The file is made.' })
    expect(existsSync(join(place.project, 'made'))).toBe(true)
    expect(calls(place)).toContain('claude_respond')
    expect(forms(parent)).toEqual([])
  })

  test('S41: a host that declines by itself denies nothing: the model is asked, and answers', async () => {
    const place = await aPlace()
    const parent = await parentAt(place, await serverAt(place, { ask: 'both' }))
    parent.onForm({ action: 'decline' })
    parent.say('Let a child do it.')
    expect(await parent.result()).toMatchObject({ result: 'My child says: The file is made.' })
    expect(existsSync(join(place.project, 'made'))).toBe(true)
    expect(forms(parent)).toHaveLength(1)
    expect(calls(place)).toContain('claude_respond')
  })

  test('S41: a Claude Code in a terminal starts another, and its person answers in a form', async () => {
    const place = await aPlace()
    const parent = await parentAt(place, await serverAt(place, { isTerminal: true }))
    parent.onForm({ action: 'accept', content: { decision: 'allow' } }, READING_MS)
    parent.say('Let a child do it.')
    expect(await parent.result()).toMatchObject({ result: 'My child says: The file is made.' })
    expect(existsSync(join(place.project, 'made'))).toBe(true)
    expect(calls(place)).not.toContain('claude_respond')
    const log = place.stderr + (await readFile(join(place.home, 'hub.log'), 'utf8').catch(() => ''))
    expect(log).toContain('"by":"a person at claude-code","from":"person","via":"form"')
  })
})
