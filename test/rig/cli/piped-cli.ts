/** The real CLI on plain pipes, for tests of what lies beneath Plexus. */
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { cleanEnvironment, cliPath, temporaryFolder } from './real-cli.ts'

const Line = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  result: z.string().optional(),
})
export type Line = z.infer<typeof Line>

export interface PipedCli {
  readonly pid: number
  /** Everything printed so far. */
  readonly lines: readonly Line[]
  write(message: unknown): void
  say(text: string): void
  /** The first line that matches, printed already or still to come. */
  line(matches: (line: Line) => boolean): Promise<Line>
  /** The n-th result, from 1. */
  result(n?: number): Promise<Line>
  /** Closes stdin and waits until the process is gone. */
  end(): Promise<void>
  /** What its host says to the first form that it is given, and after how long. */
  onForm(answer: object, afterMs?: number): void
}

export async function startPipedCli(modelUrl: string, ...args: string[]): Promise<PipedCli> {
  const home = await temporaryFolder()
  return startPipedCliIn({ home, cwd: home }, modelUrl, ...args)
}

export interface PipedCliPlace {
  readonly home: string
  readonly cwd: string
  readonly env?: Record<string, string>
  /** Another program than the one that tests use. */
  readonly cli?: string
}

/** In a home and a working directory that exist and may be shared with others. */
export async function startPipedCliIn(
  { home, cwd, env = {}, cli = cliPath() }: PipedCliPlace,
  modelUrl: string,
  ...args: string[]
): Promise<PipedCli> {
  const child = spawn(
    cli,
    ['-p', '--input-format=stream-json', '--output-format=stream-json', '--verbose', ...args],
    { cwd, env: { ...cleanEnvironment(home, modelUrl), ...env }, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))

  const lines: Line[] = []
  const bell = new EventEmitter()
  let ended = false
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(Line.parse(JSON.parse(text)))
    bell.emit('ring')
  })
  child.once('close', () => {
    ended = true
    bell.emit('ring')
  })

  const nth = async (n: number, matches: (line: Line) => boolean): Promise<Line> => {
    for (;;) {
      const found = lines.filter(matches)[n - 1]
      if (found) return found
      if (ended) throw new Error(`The CLI ended without that line: ${stderr}`)
      await once(bell, 'ring')
    }
  }
  const write = (message: unknown) => void child.stdin.write(`${JSON.stringify(message)}\n`)
  return {
    pid: child.pid ?? 0,
    lines,
    write,
    say: (text) => write({ type: 'user', message: { role: 'user', content: text } }),
    line: (matches) => nth(1, matches),
    result: (n = 1) => nth(n, ({ type }) => type === 'result'),
    async end() {
      child.stdin.end()
      await closed
    },
    onForm: (answer, afterMs = 0) => {
      const host = async () => {
        const { request_id } = await nth(1, ({ type }) => type === 'control_request')
        await sleep(afterMs)
        write({ type: 'control_response', response: { subtype: 'success', request_id, response: answer } })
      }
      void host().catch(() => {}) // it ended without
    },
  }
}

/** When its MCP servers are: it answers before a server on stdio is there, so it is asked until it is. */
export async function connected(cli: PipedCli): Promise<void> {
  for (let asked = 1, there = false; !there; asked++) {
    const id = `status-${asked}`
    cli.write({ type: 'control_request', request_id: id, request: { subtype: 'mcp_status' } })
    const status = await cli.line(
      (line) => line.type === 'control_response' && JSON.stringify(line).includes(id),
    )
    there = JSON.stringify(status).includes('"connected"')
  }
}
