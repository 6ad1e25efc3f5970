/** A server of node:http on a free port, for one test. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

export async function serveLocally(listener: RequestListener): Promise<number> {
  const server = createServer(listener).on('checkContinue', listener)
  onTestFinished(() => void server.close())
  onTestFinished(() => server.closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return address.port
}
