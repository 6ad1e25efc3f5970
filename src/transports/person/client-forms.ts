import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { NAMELESS, takesForms } from './form-capability.ts'
import type { Caller } from '../../callers/access-rules.ts'

/** How a client takes forms: `retry` in the protocol of 2026, `push` in those before it. */
export interface ClientForms {
  readonly way: 'retry' | 'push'
  /** What the client calls itself. */
  readonly client: string
}

const Envelope = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.unknown().optional() }),
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string() }).optional(),
})

/**
 * The forms of a client that says it takes them. Newer requests say so each; a connection of an older protocol says it
 * once, and where each message has a connection of its own no form can be put. A child is never given one.
 */
export function formsOf(
  server: Server,
  mcpReq: ServerContext['mcpReq'],
  caller: Caller,
): ClientForms | undefined {
  if (caller.kind === 'session') return undefined
  const envelope = Envelope.safeParse(mcpReq.envelope)
  if (envelope.success) {
    const { [CLIENT_CAPABILITIES_META_KEY]: can, [CLIENT_INFO_META_KEY]: info } = envelope.data
    return takesForms(can.elicitation) ? { way: 'retry', client: info?.name ?? NAMELESS } : undefined
  }
  return lastingFormsOf(server, caller)
}

/** The same, for what is sent without a request. */
export function lastingFormsOf(server: Server, caller: Caller): ClientForms | undefined {
  if (caller.kind === 'session') return undefined
  return takesForms(server.getClientCapabilities()?.elicitation)
    ? { way: 'push', client: server.getClientVersion()?.name ?? NAMELESS }
    : undefined
}
