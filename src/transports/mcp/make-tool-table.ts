import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { toolNameOf } from '../../api/operation/operation.ts'
import { OPERATIONS, operationsFor, type Toolset } from '../../api/operations.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { createRemoteEngine } from '../../hub-client/remote-engine.ts'
import { AppError } from '../../base/errors.ts'
import type { McpTable } from './tool-table.ts'
import { serveMcp } from './mcp-stdio.ts'
import { callerIdOf } from '../../callers/caller.ts'

/** Sends these requests to the server itself, and returns its answers. */
export async function askServer(toolset: Toolset, requests: readonly object[]): Promise<unknown[]> {
  const caller: Caller = {
    id: callerIdOf('operator', 'operator'),
    kind: 'operator',
    name: 'operator',
    scopes: [],
    person: false,
  }
  const answers: unknown[] = []
  let onAnswer: (() => void) | undefined
  const take = await serveMcp(
    {
      engine: createRemoteEngine({
        find: () => Promise.reject(new AppError('busy', 'There is no hub here.')),
      }),
      caller,
      operations: operationsFor(caller, toolset),
      progressMs: 15_000,
      onError: () => {},
      onRefused: () => {},
      send: async (message) => {
        answers.push(message)
        onAnswer?.()
      },
    },
    [],
  )
  for (const request of requests) {
    const answered = new Promise<void>((resolve) => {
      onAnswer = resolve
    })
    take(request)
    if ('id' in request) await answered
  }
  return answers
}

export function initialize(protocolVersion: string): object {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'table', version: '0' } }
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params }
}

export const LIST_TOOLS = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

const Opened = z.object({
  result: z.looseObject({
    protocolVersion: z.string(),
    serverInfo: z.looseObject({ version: z.string() }),
    capabilities: z.looseObject({}),
    instructions: z.string(),
  }),
})
const Known = z.looseObject({ name: z.string(), annotations: z.looseObject({ readOnlyHint: z.boolean() }) })
/** Unchanged: a schema would put the fields that it knows first. */
const Tool = z.custom<McpTable['tools'][number]>((tool) => Known.safeParse(tool).success)
const Listed = z.object({ result: z.object({ tools: z.array(Tool) }) })

/** The content of `tool-table.json`. */
export async function makeMcpTable(): Promise<McpTable> {
  const [latest = ''] = SUPPORTED_PROTOCOL_VERSIONS
  const listed = async (toolset: Toolset) => {
    const [opened, tools] = await askServer(toolset, [initialize(latest), LIST_TOOLS])
    return { opened: Opened.parse(opened).result, tools: Listed.parse(tools).result.tools }
  }
  const { opened, tools } = await listed('all')
  const { capabilities, serverInfo } = opened
  const { version: _, ...info } = serverInfo
  const ofSet = async (toolset: Toolset) => {
    const set = await listed(toolset)
    return { instructions: set.opened.instructions, tools: set.tools.map(({ name }) => name) }
  }
  return {
    versions: SUPPORTED_PROTOCOL_VERSIONS,
    initialize: { capabilities, serverInfo: info },
    tools,
    waiting: OPERATIONS.filter(({ waits }) => waits).map(toolNameOf),
    toolsets: { claude: await ofSet('claude'), plexus: await ofSet('plexus'), all: await ofSet('all') },
  }
}
