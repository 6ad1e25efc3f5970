/** The product in one test: a Claude Code that supervises another. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StatusView } from '../../src/api/claude/status-view.ts'
import type { ModelRequest } from '../../src/demo/model-request.ts'
import { type Reply, say, tools, use } from '../../src/demo/scenario.ts'
import { programPath } from '../rig/build-programs.ts'
import { hubPlace, type HubPlace } from '../rig/hub.ts'
import { connected, type PipedCli, startPipedCliIn } from '../rig/piped-cli.ts'

const ALLOWED =
  '--allowedTools=mcp__plexus__claude_start,mcp__plexus__claude_status,mcp__plexus__claude_respond'
const CHILD_TASK = 'Make the file.'
const childSays: Reply[] = [tools(use('Bash', { command: 'touch made' })), say('The file is made.')]

/** What the parent was told by the tool that it called last, and what its model says to that. */
function parentSays(last: ModelRequest['toolResults'][number] | undefined, project: string): Reply {
  if (!last) return call('claude_start', { prompt: CHILD_TASK, workingDirectory: project })
  if (last.isError) return say(`failed: ${last.text}`)
  const { sessionId, status, pendingQuestion, result } = JSON.parse(last.text) as StatusView
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

/** How the parent comes by the six tools. */
const servers: Record<string, (place: HubPlace) => Promise<object>> = {
  HTTP: async (place) => {
    const hub = await place.start()
    return { type: 'http', url: `${hub.url}/mcp`, headers: { Authorization: `Bearer ${hub.token}` } }
  },
  stdio: async (place) => {
    place.startsHubs()
    const args = [programPath('plexus'), 'mcp', '--home', place.home]
    return { command: process.execPath, args, env: place.env }
  },
}

/** A parent with the six tools, at whose forms somebody says this. */
async function parentAt(place: HubPlace, server: object, form: object): Promise<PipedCli> {
  const config = join(place.folder, 'parent.json')
  await writeFile(config, JSON.stringify({ mcpServers: { plexus: server } }), { mode: 0o600 })
  const there = { home: join(place.folder, 'parent-home'), cwd: place.folder }
  const parent = await startPipedCliIn(there, place.model.url, `--mcp-config=${config}`, ALLOWED)
  await connected(parent)
  parent.onForm(form)
  return parent
}

describe.each(Object.entries(servers))('over %s', (_, serverAt) => {
  test('a Claude Code starts another, its person leaves the question to it, and it answers', async () => {
    const place = await aPlace()
    const parent = await parentAt(place, await serverAt(place), { action: 'cancel' })
    parent.say('Let a child do it.')
    expect(await parent.result()).toMatchObject({ result: 'My child says: The file is made.' })
    expect(existsSync(join(place.project, 'made'))).toBe(true)
    expect(calls(place)).toContain('claude_respond')
  })

  test('a Claude Code starts another, and its person answers in a form', async () => {
    const place = await aPlace()
    const form = { action: 'accept', content: { decision: 'allow' } }
    const parent = await parentAt(place, await serverAt(place), form)
    parent.say('Let a child do it.')
    expect(await parent.result()).toMatchObject({ result: 'My child says: The file is made.' })
    expect(existsSync(join(place.project, 'made'))).toBe(true)
    expect(calls(place)).not.toContain('claude_respond')
  })
})
