/** The product in one test: a Claude Code that supervises another. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StatusView } from '../../src/api/claude/status-view.ts'
import type { ModelRequest } from '../../src/demo/model-request.ts'
import { type Reply, say, tools, use } from '../../src/demo/scenario.ts'
import { hubPlace, type HubPlace } from '../rig/hub.ts'
import { startPipedCliIn } from '../rig/piped-cli.ts'

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

test('a Claude Code starts another over HTTP, answers its question and reads its result', async () => {
  const place = await aPlace()
  const hub = await place.start()
  const config = join(place.folder, 'parent.json')
  const server = { type: 'http', url: `${hub.url}/mcp`, headers: { Authorization: `Bearer ${hub.token}` } }
  await writeFile(config, JSON.stringify({ mcpServers: { plexus: server } }))
  const there = { home: join(place.folder, 'parent-home'), cwd: place.folder }
  const parent = await startPipedCliIn(
    there,
    place.model.url,
    `--mcp-config=${config}`,
    '--allowedTools=mcp__plexus__claude_start,mcp__plexus__claude_status,mcp__plexus__claude_respond',
  )
  parent.write({ type: 'control_request', request_id: 'status', request: { subtype: 'mcp_status' } })
  await parent.line(({ type }) => type === 'control_response')
  parent.say('Let a child do it.')
  expect(await parent.result()).toMatchObject({ result: 'My child says: The file is made.' })
  expect(existsSync(join(place.project, 'made'))).toBe(true)
})
