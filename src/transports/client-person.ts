import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Identity } from '../callers/permission.ts'
import { shortText } from '../api/shortened.ts'
import { visibleText } from '../visible-text.ts'

/** How the person at a client can be asked: `retry` in the protocol of 2026, `push` in those before it. */
export interface ClientPerson {
  readonly way: 'retry' | 'push'
  /** Who decides when they do. */
  readonly identity: Identity
}

const Elicitation = z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }).optional()
const Envelope = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: Elicitation }),
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string() }).optional(),
})

/**
 * The person at a client that says it can ask one. Newer requests say so each; a connection of an older protocol says it
 * once, and where each message has a connection of its own nobody can be asked. A child has no person: never.
 */
export function personAt(
  server: Server,
  mcpReq: ServerContext['mcpReq'],
  caller: Identity,
): ClientPerson | undefined {
  if (caller.kind === 'session') return undefined
  const envelope = Envelope.safeParse(mcpReq.envelope)
  if (envelope.success) {
    const { [CLIENT_CAPABILITIES_META_KEY]: can, [CLIENT_INFO_META_KEY]: info } = envelope.data
    return takesForms(can.elicitation) ? person('retry', caller, info?.name) : undefined
  }
  return lastingPersonAt(server, caller)
}

/** The same, for what is sent without a request. */
export function lastingPersonAt(server: Server, caller: Identity): ClientPerson | undefined {
  if (caller.kind === 'session') return undefined
  const can = Elicitation.safeParse(server.getClientCapabilities()?.elicitation)
  return can.success && takesForms(can.data)
    ? person('push', caller, server.getClientVersion()?.name)
    : undefined
}

/** One that names no way of asking takes forms: that was the only one. */
function takesForms(elicitation: z.infer<typeof Elicitation>): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

function person(way: ClientPerson['way'], caller: Identity, client = 'a client'): ClientPerson {
  const at = shortText(visibleText(client), 60).replaceAll('\n', ' ')
  const name = caller.kind === 'client' ? `a person at ${at} (${caller.name})` : `a person at ${at}`
  return { way, identity: { ...caller, person: true, name } }
}
