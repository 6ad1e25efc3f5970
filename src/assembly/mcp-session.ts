import { randomUUID } from 'node:crypto'
import type { CallerMemory } from '../api/operation/caller-memory.ts'
import type { ToolResult } from '../api/operation/operation-call.ts'
import { operationsFor, type Toolset } from '../api/operations.ts'
import { AppError } from '../base/errors.ts'
import { createRemoteEngine } from '../hub-client/remote-engine.ts'
import { parseJson } from '../text/json-text.ts'
import { createSigner } from '../text/signed-text.ts'
import type { CallOperation } from '../transports/mcp/mcp-parts.ts'
import { serveMcp } from '../transports/mcp/mcp-stdio.ts'
import type { Seat } from '../transports/person/known-person.ts'
import type { McpClient } from './mcp-client.ts'

/** The hub's results are this same program's: they are not checked twice. */
function isToolResult(result: unknown): result is ToolResult {
  return typeof result === 'object' && result !== null && 'content' in result
}

export interface McpSession {
  readonly take: (message: unknown) => void
  readonly close: () => void
}

export interface SessionParts {
  readonly client: McpClient
  readonly toolset: Toolset
  readonly seat: Seat
  readonly memory: CallerMemory
  readonly progressMs: number
  /** The messages at the beginning of the connection that were already answered. */
  readonly opening: readonly unknown[]
  readonly send: (message: object) => Promise<void>
}

/** The part of `plexus mcp` that speaks MCP in full: resources, forms, and the protocol of 2026. */
export async function beginMcpSession(parts: SessionParts): Promise<McpSession> {
  const { client, toolset, seat, memory, progressMs, opening, send } = parts
  const { caller, hub, log, onCalled } = client
  const engine = createRemoteEngine(hub)
  const onlooker = createRemoteEngine(hub.onlooker)
  const call: CallOperation = async (_, made, { signal, onEvent }) => {
    const { resultText, ...answer } = await client.call(made, {
      signal,
      onEvent: (event) => void onEvent?.(event),
    })
    const result = parseJson(resultText)
    if (!isToolResult(result))
      throw new AppError(
        'internal',
        'The hub answered with something that is not a result; check that the client and the hub have the same version.',
      )
    return { ...answer, result }
  }
  const take = await serveMcp(
    {
      engine,
      onlooker,
      caller,
      call,
      onCalled,
      send,
      operations: operationsFor(caller, toolset),
      seat,
      memory,
      signer: createSigner(randomUUID()),
      progressMs,
      onError: (error) => log.error('A call of MCP failed.', { error }),
      onRefused: () => {}, // the hub has logged it
    },
    opening,
  )
  const close = () => {
    engine.close()
    onlooker.close()
  }
  return { take, close }
}
