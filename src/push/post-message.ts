import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type AddressRules, addressProblem, publicLookup } from './push-address.ts'

export interface PushRequest {
  readonly endpoint: string
  readonly body: Buffer
  readonly authorization: string
  /** A message that was not delivered yet is replaced by the next one with the same topic. */
  readonly topic: string
  /** For how long the push service keeps it for a device that is not there. */
  readonly ttlSeconds: number
  readonly urgency: 'normal' | 'high'
}

/** `gone`: the subscription has ended. `failed` may succeed later, `refused` will not. */
export type PushOutcome = 'accepted' | 'gone' | 'failed' | 'refused'

const LIMIT_MS = 10_000

/** Sends one message. Nothing that the push service answers is read but its status; redirects are not followed. */
export async function postMessage(
  { endpoint, body, authorization, topic, ttlSeconds, urgency }: PushRequest,
  rules: AddressRules,
  over: AbortSignal,
): Promise<PushOutcome> {
  if (addressProblem(endpoint, rules) !== undefined) return 'refused'
  const isLocal = endpoint.startsWith('http:')
  const headers = {
    authorization,
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    'content-length': body.length,
    ttl: String(ttlSeconds),
    topic,
    urgency,
  }
  const signal = AbortSignal.any([over, AbortSignal.timeout(LIMIT_MS)])
  const options = { method: 'POST', headers, agent: false, signal } as const
  return new Promise((resolve) => {
    const request = isLocal
      ? requestHttp(endpoint, options)
      : requestHttps(endpoint, { ...options, lookup: publicLookup })
    request.once('error', () => resolve('failed'))
    request.once('response', (response) => {
      resolve(outcomeOf(response.statusCode ?? 0))
      // Its body may be endless.
      response.on('error', () => {}).destroy()
    })
    request.end(body)
  })
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'accepted'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'failed' : 'refused'
}
