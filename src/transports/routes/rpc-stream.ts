import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { CallContext } from '../../engine/engine.ts'
import { answerRpc, type RpcParts } from './rpc.ts'
import { startHeartbeat } from '../../async/heartbeat.ts'

/**
 * A call whose caller wants the events until the result is there: each event is a notification, and the result is the last
 * frame. When the caller disconnects, only the stream ends.
 */
export async function streamRpc(
  response: ServerResponse,
  parts: RpcParts,
  call: CallContext & { readonly signal: AbortSignal },
  body: string,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(': hello\n\n')
  const endHeartbeat = startHeartbeat(() => response.write(': still here\n\n'))
  const send = async (message: object) => {
    if (call.signal.aborted) return
    const taken = response.write(`data: ${JSON.stringify(message)}\n\n`)
    if (!taken) await once(response, 'drain', { signal: call.signal }).catch(() => {})
  }
  try {
    const notify: RpcParts['notify'] = ({ event }) =>
      send({ jsonrpc: '2.0', method: 'claudecode.event', params: event })
    const answer = await answerRpc({ ...parts, notify }, call, body)
    if (answer !== undefined) await send(answer)
  } finally {
    endHeartbeat()
    response.end()
  }
}
