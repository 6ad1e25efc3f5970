/** `plexus mcp` as a process, spoken to line by line: for what no client would do. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { programPath } from '../tools/build-programs.ts'
import type { HubPlace } from '../hubs/hub.ts'

export interface Answer {
  readonly id: string | number | null
  readonly result?: { readonly structuredContent?: Record<string, unknown> } & Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

export class McpProcess {
  readonly process: ChildProcessWithoutNullStreams
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  stderr = ''
  readonly #answers: AsyncIterator<string>
  #id = 0

  /** `program` is the name of one that was built; without it, it is the program of the place. */
  constructor(place: HubPlace, args: readonly string[], program?: string) {
    place.startsHubs()
    const file = program === undefined ? place.program : programPath(program)
    this.process = spawn(process.execPath, [file, 'mcp', '--home', place.home, ...args], {
      env: place.env,
      cwd: place.project,
    })
    this.ended = new Promise((resolve) => {
      this.process.once('close', (code, signal) => resolve(signal ?? code))
    })
    this.process.stdin.on('error', () => {})
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
      place.stderr += text
    })
    this.#answers = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]()
    onTestFinished(async () => {
      this.process.kill('SIGKILL')
      await this.ended
    })
  }

  write(text: string): void {
    this.process.stdin.write(text)
  }

  /** The next message that it says. */
  async next(): Promise<Answer> {
    const { value, done } = await this.#answers.next()
    if (done) throw new Error('It says no more.')
    return JSON.parse(value) as Answer
  }

  /** Says it and does not wait. */
  ask(method: string, params: object = {}): number {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params })}\n`)
    return this.#id
  }

  async request(method: string, params: object = {}): Promise<Answer> {
    this.ask(method, params)
    return this.next()
  }

  /** What a tool says. */
  async call<T>(name: string, input: object = {}): Promise<T> {
    const { result } = await this.request('tools/call', { name, arguments: input })
    return result?.structuredContent as T
  }

  async open(): Promise<this> {
    await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '0' },
    })
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    return this
  }
}

export const startMcp = (place: HubPlace, ...args: string[]): Promise<McpProcess> =>
  new McpProcess(place, args).open()
