/** A push service on 127.0.0.1: it keeps what it is sent, checks who signed it, and answers with the status of its choice. */
import { createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { eventually } from '../tools/eventually.ts'
import { decryptMessage, newSubscription, type Subscription } from './push-subscription.ts'

interface Received<T = unknown> {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly claims: Claims
  readonly message: T
}

export interface PushService {
  readonly subscription: Subscription & { readonly endpoint: string }
  readonly received: Received[]
  /** How many requests have arrived. */
  readonly requests: () => number
  /** What it answers from now on; undefined: nothing at all. */
  status: number | undefined
  /** Answers what waits, and all that comes. */
  answer(status: number): void
  /** Resolves when it has received so many. */
  has(count: number): Promise<Received[]>
}

export async function pushService(): Promise<PushService> {
  const keys = newSubscription()
  const received: Received[] = []
  const open: ServerResponse[] = []
  let requests = 0
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const message: unknown = JSON.parse(decryptMessage(Buffer.concat(chunks), keys))
    const claims = claimsOf(request.headers.authorization ?? '')
    received.push({ path: request.url ?? '', headers: request.headers, claims, message })
    if (service.status === undefined) open.push(response)
    else response.writeHead(service.status).end()
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const service: PushService = {
    subscription: { ...keys, endpoint: `http://127.0.0.1:${port}/send/one` },
    received,
    requests: () => requests,
    status: 201,
    answer: (status) => {
      service.status = status
      for (const response of open.splice(0)) response.writeHead(status).end()
    },
    has: async (count) => {
      await eventually(async () => {
        if (received.length < count) throw new Error(`${received.length} of ${count} messages.`)
      })
      return received
    },
  }
  return service
}

interface Claims {
  readonly publicKey: string
  readonly aud: string
  readonly exp: number
  readonly sub: string
}

/** What the header of RFC 8292 says, if its signature is that of its key. */
export function claimsOf(authorization: string): Claims {
  const [, head = '', claims = '', signature = '', publicKey = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(publicKey, 'base64url')
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('The signature is not that of the key.')
  return {
    publicKey,
    ...(JSON.parse(Buffer.from(claims, 'base64url').toString()) as Omit<Claims, 'publicKey'>),
  }
}
