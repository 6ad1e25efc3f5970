import type { IncomingMessage, ServerResponse } from 'node:http'
import { MAX_MESSAGE_BYTES } from '../../base/limits.ts'

/** The body as text; undefined as soon as it is known to be too large. Rejects when the client disconnects. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_MESSAGE_BYTES) return undefined
  if (request.headers.expect !== undefined) response.writeContinue()
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    request
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_MESSAGE_BYTES) resolve(undefined)
        else chunks.push(chunk)
      })
      .once('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
      .once('error', reject)
  })
}
