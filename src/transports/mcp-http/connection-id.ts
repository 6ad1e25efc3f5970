import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Signer } from '../../text/signed-text.ts'

/** What a client said when it began a connection, as far as a server needs it to go on with one that another began. */
const Opening = z.object({
  /** What the connection is known by where something is kept about it. */
  key: z.string(),
  callerId: z.string(),
  protocolVersion: z.string(),
  /** How it can ask its person; absent where it cannot. */
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

/** Undefined for what begins no connection. */
export function openingFrom(message: unknown, callerId: string): Opening | undefined {
  const parsed = Initialize.safeParse(message)
  if (!parsed.success) return undefined
  const { protocolVersion, capabilities, clientInfo } = parsed.data.params
  const { elicitation } = capabilities
  return {
    key: randomUUID(),
    callerId,
    protocolVersion,
    ...(elicitation ? { elicitation: WAYS.filter((way) => elicitation[way] !== undefined) } : {}),
    client: { name: clientInfo.name.slice(0, MOST_NAME), version: clientInfo.version.slice(0, MOST_NAME) },
  }
}

/** The id of a connection says how it was begun, so that any hub of the home folder can go on with it. */
export function connectionId(signer: Signer, opening: Opening): string {
  return signer.sign(PURPOSE, opening)
}

/** Undefined for an id that is not ours. */
export function openingIn(signer: Signer, id: string): Opening | undefined {
  return Opening.safeParse(signer.open(PURPOSE, id)).data
}

/** The messages that began it. */
export function messagesOf({ protocolVersion, elicitation, client }: Opening): object[] {
  const capabilities = elicitation
    ? { elicitation: Object.fromEntries(elicitation.map((way) => [way, {}])) }
    : {}
  const params = { protocolVersion, capabilities, clientInfo: client }
  return [
    { jsonrpc: '2.0', id: 0, method: 'initialize', params },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ]
}

const PURPOSE = 'connection'
const WAYS = ['form', 'url'] as const
const MOST_NAME = 100
