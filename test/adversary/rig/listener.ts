import { once } from 'node:events'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Listener {
  readonly port: number
  /** How many have connected. */
  readonly calls: () => number
}

/** Somebody on 127.0.0.1 who is not to be called. Whoever calls gets an answer of HTTP, so that nothing hangs. */
export async function startListener(): Promise<Listener> {
  let calls = 0
  const server = createServer((socket) => {
    calls += 1
    socket.on('error', () => {})
    socket.end('HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { port, calls: () => calls }
}
