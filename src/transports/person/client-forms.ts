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
 * How a client takes forms; undefined if it does not. In the newest protocol each request declares it; in older protocols a
 * connection declares it once, and without a lasting connection no form can be put. A child never gets a form.
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

/** The same for forms that are sent outside a request. */
export function lastingFormsOf(server: Server, caller: Caller): ClientForms | undefined {
  if (caller.kind === 'session') return undefined
  return takesForms(server.getClientCapabilities()?.elicitation)
    ? { way: 'push', client: server.getClientVersion()?.name ?? NAMELESS }
    : undefined
}
