import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { setImmediate as immediate } from 'node:timers/promises'
import { type Context, type Operation, toolNameOf } from '../api/operation.ts'
import type { Identity } from '../callers/permission.ts'
import { VERSION } from '../version.ts'
import { isInternal, toldOf } from './error-response.ts'
import { isRefusal, type Refused } from './refused.ts'
import { INSTRUCTIONS, toolOf } from './mcp-tool.ts'
import type { OpenCalls } from './open-calls.ts'

export interface McpParts {
  readonly engine: Context['engine']
  readonly caller: Identity
  readonly operations: readonly Operation[]
  readonly workingDirectory?: string | undefined
  /** Where each message has a server of its own, a cancellation finds the call that it is meant for by this. */
  readonly calls?: OpenCalls | undefined
  /** A call that says nothing for longer is given up: by the CLI after five minutes, by others after one. */
  readonly progressMs: number
  /** The server is about to go: nothing is answered any more, so that a child may ask the next one. */
  readonly closing?: AbortSignal | undefined
  readonly onError: (error: unknown) => void
  /** Somebody wanted what they may not have. */
  readonly onRefused: (refused: Refused) => void
}

/** A server of MCP for one caller: operations are its tools. */
export function mcpServerFor(parts: McpParts): Server {
  const { operations, calls, caller } = parts
  const server = new Server(
    { name: 'plexus', title: 'Plexus', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler('tools/list', () => ({ tools: operations.map(toolOf) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const operation = operations.find((one) => toolNameOf(one) === params.name)
    if (!operation) {
      parts.onRefused({
        caller: caller.name,
        method: params.name.slice(0, 100),
        reason: 'There is no such tool for this caller.',
      })
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name} here.`)
    }
    return callTool(operation, params.arguments, context, parts)
  })
  if (calls)
    server.setNotificationHandler('notifications/cancelled', ({ params }) => {
      if (params.requestId !== undefined) calls.cancel(caller.id, params.requestId)
    })
  return server
}

async function callTool(
  operation: Operation,
  given: unknown,
  { mcpReq }: ServerContext,
  { engine, caller, workingDirectory, calls, progressMs, closing, onError, onRefused }: McpParts,
): Promise<CallToolResult> {
  const call = calls?.open(caller.id, mcpReq.id)
  const gone = AbortSignal.any([mcpReq.signal, ...(call ? [call.signal] : [])])
  const signal = AbortSignal.any([gone, ...(closing ? [closing] : [])])
  const say = operation.waits ? progressOf(mcpReq) : undefined
  const alive = say && (await keepAlive(say, progressMs))
  try {
    const tell: Context['tell'] = say && (async ({ text }) => (text === undefined ? undefined : say(text)))
    const context: Context = { engine, who: { caller, signal }, workingDirectory, gone, closing, tell }
    return toolResult(operation, await operation.call(context, given))
  } catch (error) {
    if (closing?.aborted) return new Promise(() => {})
    if (isInternal(error) && !gone.aborted) onError(error)
    if (isRefusal(error, caller))
      onRefused({ caller: caller.name, method: operation.name, reason: error.message })
    return { content: [{ type: 'text', text: JSON.stringify(toldOf(error, operation)) }], isError: true }
  } finally {
    clearInterval(alive)
    call?.close()
  }
}

type Say = (message: string) => Promise<void>

/** How a call is told of what goes on, if its caller wants to know. */
function progressOf(mcpReq: ServerContext['mcpReq']): Say | undefined {
  const { _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  return async (message) => {
    const params = { progressToken, progress: progress++, message }
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

/**
 * Progress, as long as it lasts. The first at once: a call without a word of an answer fails when the hub does; one that has
 * begun can be asked again of the next.
 */
async function keepAlive(say: Say, everyMs: number): Promise<NodeJS.Timeout> {
  await say(STILL_HERE)
  await immediate()
  return setInterval(() => void say(STILL_HERE), everyMs)
}

const STILL_HERE = 'waiting for an answer'

/** As an object for who knows its shape, and as text for everybody. */
function toolResult({ output }: Operation, result: object): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(result) }]
  return output ? { content, structuredContent: { ...result } } : { content }
}
