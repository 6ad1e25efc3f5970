import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { Decision } from '../../../src/events/decision.ts'
import { supervise } from '../../rig/hubs/supervised.ts'

const server = join(import.meta.dirname, '../../fixtures/asking-mcp-server.mjs')
const mcpServers = { asking: { command: process.execPath, args: [server] } }

test.each<[string, Decision, string]>([
  [
    'accepted',
    { behavior: 'form', action: 'accept', content: { name: 'Ann' } },
    '{"action":"accept","content":{"name":"Ann"}}',
  ],
  ['declined', { behavior: 'form', action: 'decline' }, '{"action":"decline"}'],
  ['cancelled', { behavior: 'form', action: 'cancel' }, '{"action":"cancel"}'],
])(
  "R24: a form that a child's MCP server asks for is put to us, outlives us, and is %s",
  async (_, decision, told) => {
    const session = await supervise({
      scenario: { main: [tools(use('mcp__asking__greet', {})), say('done')] },
      options: { mcpServers, allowedTools: ['mcp__asking__greet'] },
    })
    const asked = await session.event('approval.opened')
    expect(asked).toMatchObject({ kind: 'form', toolName: 'asking', input: { message: 'Who are you?' } })
    expect(asked.input['schema']).toMatchObject({ required: ['name'] })
    await session.kill()
    await session.start()
    await session.settle(await session.event('approval.opened'), decision)
    await session.event('turn.ended')
    expect(session.all('tool.finished')[0]?.content).toBe(`answer: ${told}`)
  },
)
