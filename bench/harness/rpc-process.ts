import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The program as it is published; scripts/bench.mjs builds it. */
export const PROGRAM = join(process.cwd(), '.cache/bench/program/main.js')

/** The reference: as little of a server as Node can be, with one tool; `start` starts a process and tells its pid. */
export const RESPONDER = `import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
const tool = { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } }
const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'responder', version: '0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  start: () => ({ pid: spawn('/bin/true', { stdio: 'ignore' }).pid }),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const answer = { jsonrpc: '2.0', id, result: answers[method]() }
  process.stdout.write(JSON.stringify(answer) + '\\n')
})
`

/** A program of Node that speaks JSON-RPC on its streams. */
export class RpcProcess {
  readonly #process: ChildProcessWithoutNullStreams
  readonly #lines: AsyncIterator<string>
  #id = 0

  constructor(args: readonly string[], env: Record<string, string>) {
    this.#process = spawn(process.execPath, args, { env })
    this.#process.stderr.pipe(process.stderr)
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]()
  }

  async request<T>(method: string, params: object = {}): Promise<T> {
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params })}\n`)
    const { value, done } = await this.#lines.next()
    const { result } = JSON.parse(done ? '{}' : value) as { result?: T }
    if (result === undefined) throw new Error(`${method} failed: ${String(value)}`)
    return result
  }

  async open(): Promise<void> {
    const clientInfo = { name: 'bench', version: '0' }
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    this.#process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  }

  async end(): Promise<void> {
    const exit = once(this.#process, 'exit')
    this.#process.stdin.end()
    await exit
  }
}
