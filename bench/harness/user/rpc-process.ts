import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The program as it is published; scripts/bench.mjs builds it. */
export const PROGRAM = join(process.cwd(), '.cache/bench/program/main.js')

/** The arguments of Node for a command of it; with `npm run bench -- --profile FOLDER` it writes a CPU profile as it ends. */
export function programArgs(command: string, ...flags: readonly string[]): string[] {
  const folder = process.env['PLEXUS_BENCH_PROFILE']
  const profile = folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(folder, command)}`]
  return [...profile, PROGRAM, command, ...flags]
}

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
  'tools/call': () => ({ content: [], structuredContent: {} }),
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
  readonly #exit: Promise<unknown>
  #id = 0

  constructor(args: readonly string[], env: Record<string, string>) {
    this.#process = spawn(process.execPath, args, { env })
    this.#exit = once(this.#process, 'exit')
    this.#process.stderr.pipe(process.stderr)
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]()
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  async request<T>(method: string, params: object = {}): Promise<T> {
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params })}\n`)
    for (;;) {
      const { value, done } = await this.#lines.next()
      const { id, result } = JSON.parse(done ? '{}' : value) as { id?: number; result?: T }
      if (!done && id === undefined) continue // a notification
      if (result === undefined) throw new Error(`${method} failed: ${String(value)}`)
      return result
    }
  }

  /** What a tool returns as data. */
  async call<T>(name: string, input: object = {}): Promise<T> {
    const { structuredContent, isError } = await this.request<ToolResult<T>>('tools/call', {
      name,
      arguments: input,
    })
    if (isError || structuredContent === undefined)
      throw new Error(`${name} failed: ${JSON.stringify(structuredContent)}`)
    return structuredContent
  }

  async open(): Promise<void> {
    const clientInfo = { name: 'bench', version: '0' }
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    this.#process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  }

  async end(): Promise<void> {
    this.#process.stdin.end()
    await this.#exit
  }
}

interface ToolResult<T> {
  readonly structuredContent?: T
  readonly isError?: boolean
}
