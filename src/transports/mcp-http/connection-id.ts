import type { CallerKey } from '../../base/ids.ts'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Signer } from '../../text/signed-text.ts'

/** What a client sent when it opened a connection, as far as another server needs it to restore the connection. */
const Opening = z.object({
  /** The key of the connection in the connection store. */
  key: z.string(),
  callerId: z.string(),
  protocolVersion: z.string(),
  /** How the client can ask its person; absent if it cannot. */
  elicitation: z.array(z.enum(['form', 'url'])).optional(),
  client: z.object({ name: z.string(), version: z.string() }),
})
export type Opening = z.infer<typeof Opening>

const Initialize = z.looseObject({
  method: z.literal('initialize'),
  id: z.union([z.string(), z.number()]),
  params: z.looseObject({
    protocolVersion: z.string().max(40),
    capabilities: z.looseObject({ elicitation: z.looseObject({}).optional() }),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
})

/** Undefined for a message that does not open a connection. */
export function openingFrom(message: unknown, callerId: CallerKey): Opening | undefined {
  const parsed = Initialize.safeParse(message)
  if (!parsed.success) return undefined
  const { protocolVersion, capabilities, clientInfo } = parsed.data.params
  const { elicitation } = capabilities
  return {
    key: randomUUID(),
    callerId,
    protocolVersion,
    ...(elicitation
      ? { elicitation: ELICITATION_MODES.filter((mode) => elicitation[mode] !== undefined) }
      : {}),
    client: { name: clientInfo.name.slice(0, MAX_NAME), version: clientInfo.version.slice(0, MAX_NAME) },
  }
}

/** The id of a connection contains how it was opened, signed, so that any hub of the home folder can restore it. */
export function connectionId(signer: Signer, opening: Opening): string {
  return signer.sign(PURPOSE, opening)
}

/** Undefined for an id that is not ours. */
export function parseConnectionId(signer: Signer, id: string): Opening | undefined {
  return Opening.safeParse(signer.open(PURPOSE, id)).data
}

/** The messages with which the client opened the connection. */
export function openingMessages({ protocolVersion, elicitation, client }: Opening): object[] {
  const capabilities = elicitation
    ? { elicitation: Object.fromEntries(elicitation.map((mode) => [mode, {}])) }
    : {}
  const params = { protocolVersion, capabilities, clientInfo: client }
  return [
    { jsonrpc: '2.0', id: 0, method: 'initialize', params },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ]
}

const PURPOSE = 'connection'
const ELICITATION_MODES = ['form', 'url'] as const
const MAX_NAME = 100
