import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { randomUUID } from 'node:crypto'
import { MAX_TIMER_MS } from '../../base/limits.ts'
import { CallerMemory } from '../../api/operation/caller-memory.ts'
import { toolNameOf } from '../../api/operation/operation.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { createSigner } from '../../text/signed-text.ts'
import { VERSION } from '../../base/version.ts'
import { OpenForms } from '../person/open-forms.ts'
import { FormSwitch } from '../person/known-person.ts'
import { mayReadResources, offerResources } from '../resources/mcp-resources.ts'
import { followAgain } from '../person/follow-after-restart.ts'
import { QuestionFollower } from '../person/question-follower.ts'
import { callTool } from './call-tool.ts'
import type { McpParts } from './mcp-parts.ts'
import { instructionsFor, toolOf } from './mcp-tool.ts'

/** An MCP server for one caller: operations are its tools. When it is closed, it ends what it has begun. */
export function mcpServerFor(parts: McpParts): Server {
  const {
    engine,
    onlooker = engine,
    operations,
    calls,
    listened,
    lasting,
    memory = new CallerMemory(),
  } = parts
  const { seat = { isTerminal: false, forms: new FormSwitch() }, signer = createSigner(randomUUID()) } = parts
  const caller: Caller = { ...parts.caller, via: 'tool' }
  const server = new Server(
    { name: 'plexus', title: 'Plexus', version: VERSION },
    {
      capabilities: {
        tools: {},
        ...(mayReadResources(caller) ? { resources: newsFor(caller) } : {}),
      },
      instructions: instructionsFor(operations),
    },
  )
  const forms = new OpenForms(engine, onlooker)
  const closed = new AbortController()
  const follower = new QuestionFollower({
    engine: onlooker,
    caller,
    forms,
    stream: lasting?.stream ?? (() => closed.signal),
    put: (params, signal) =>
      server.request(
        { method: 'elicitation/create', params: { ...params } },
        { signal, timeout: MAX_TIMER_MS },
      ),
  })
  const onclose = () => {
    closed.abort()
    follower.close()
  }
  // Most clients treat the id 0 as no id, and a request without an id cannot be cancelled.
  Object.assign(server, { onclose, _requestMessageId: 1 })
  const lasts = calls === undefined
  const resources = mayReadResources(caller)
    ? offerResources(server, { engine, onlooker, caller, lasts, lasting, listened, closed: closed.signal })
    : undefined
  lasting?.onStream(
    () => void followAgain(lasting, { server, caller, seat, engine: onlooker, follower, now: parts.now }),
  )
  parts.onCalled?.(() => resources?.hubUsed())
  server.setRequestHandler('tools/list', () => ({ tools: operations.map(toolOf) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const operation = operations.find((known) => toolNameOf(known) === params.name)
    if (!operation) {
      parts.onRefused({
        caller: caller.name,
        method: params.name.slice(0, 100),
        reason: 'There is no such tool for this caller.',
      })
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name} here.`)
    }
    const result = await callTool(operation, params.arguments, context, {
      ...parts,
      caller,
      seat,
      signer,
      memory,
      server,
      forms,
      follower,
    })
    if (!parts.onCalled) resources?.hubUsed()
    return result
  })
  if (calls)
    server.setNotificationHandler('notifications/cancelled', ({ params }) => {
      if (params.requestId !== undefined) calls.cancel(params.requestId)
    })
  return server
}

/**
 * A child is not notified of changes: the CLI would hold a connection open for that, and when the hub has gone offer its token
 * to whatever program listens there next.
 */
function newsFor({ kind }: Caller): { subscribe?: boolean; listChanged?: boolean } {
  return kind === 'session' ? {} : { subscribe: true, listChanged: true }
}
