import { z } from 'zod'
import type { Signer } from '../../text/signed-text.ts'

/** Longer ids are not kept. */
const Id = z.union([z.string().max(200), z.number()])
const ToolCall = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: Id,
  method: z.literal('tools/call'),
  params: z.looseObject({
    name: z.string().max(100),
    arguments: z.record(z.string(), z.unknown()).optional(),
    _meta: z.looseObject({ progressToken: Id.optional() }).optional(),
  }),
})
export type ToolCall = z.infer<typeof ToolCall>

export function toolCallIn(message: unknown): ToolCall | undefined {
  return ToolCall.safeParse(message).data
}

/** The content of an event id. */
const Cut = z.object({ connection: z.string(), message: ToolCall, sessionId: z.string().optional() })
export type Cut = z.infer<typeof Cut>

/** Undefined for an event id that is not of this connection. */
export function cutCallIn(signer: Signer, eventId: string, connection: string): Cut | undefined {
  const cut = Cut.safeParse(signer.open(PURPOSE, eventId)).data
  return cut?.connection === connection ? cut : undefined
}

export function eventIdOf(signer: Signer, { message, ...cut }: Cut): string {
  const { id, params } = message
  const { name, arguments: given = {}, _meta: meta } = params
  const progress = meta?.progressToken === undefined ? {} : { _meta: { progressToken: meta.progressToken } }
  const brief = {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: inBrief(given), ...progress },
  }
  return signer.sign(PURPOSE, { ...cut, message: brief })
}

/** An event id is sent in a header, so it must be short; resuming a call needs the short arguments, and no prompt. */
function inBrief(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const short = Object.entries(given).map(([field, value]) => [field, withoutLongTexts(value)] as const)
  const fits = short.filter(([, value]) => Buffer.byteLength(JSON.stringify(value)) <= MAX_FIELD_BYTES)
  return Object.fromEntries(fits.slice(0, MAX_FIELDS))
}

function withoutLongTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT)
  if (Array.isArray(value)) return value.map(withoutLongTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutLongTexts(inner)]))
}

const PURPOSE = 'event'
const MAX_TEXT = 150
const MAX_FIELD_BYTES = 600
const MAX_FIELDS = 12
