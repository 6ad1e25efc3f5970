import { spawn, type ChildProcess } from 'node:child_process'

export type CommandResult =
  | { outcome: 'exited'; code: number | null; stdout: string; stderr: string }
  | { outcome: 'not started'; reason: string }
  | { outcome: 'timed out' }

/** More than a version or a path ever needs; output beyond it is dropped. */
const MAX_OUTPUT = 64 * 1024

/** How long a pipe is read after the exit if another process (an agent started by a profile) still holds it open. */
const LEFTOVERS_MS = 200

/** Runs a short command; after the time limit it is killed with its process group. Never rejects. */
export function runCommand(
  file: string,
  args: readonly string[],
  options: { env: Record<string, string>; timeoutMs: number; input?: string },
): Promise<CommandResult> {
  return new Promise((resolve) => {
    let child: ChildProcess
    try {
      // A group of its own, so that a wrapper script's children end with it.
      const stdin = options.input === undefined ? 'ignore' : 'pipe'
      child = spawn(file, args, { env: options.env, detached: true, stdio: [stdin, 'pipe', 'pipe'] })
    } catch (error) {
      resolve({ outcome: 'not started', reason: codeOf(error) })
      return
    }
    const output = { stdout: '', stderr: '' }
    const end = (result: CommandResult) => {
      clearTimeout(limit)
      child.stdin?.destroy()
      child.stdout?.destroy()
      child.stderr?.destroy()
      resolve(result)
    }
    const limit = setTimeout(() => {
      killGroup(child.pid)
      end({ outcome: 'timed out' })
    }, options.timeoutMs)
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream]?.setEncoding('utf8').on('data', (text: string) => {
        output[stream] = (output[stream] + text).slice(0, MAX_OUTPUT)
      })
    child.stdin?.on('error', () => {}).end(options.input) // it need not read it
    child.on('error', (error) => end({ outcome: 'not started', reason: codeOf(error) }))
    child.on('exit', (code) => {
      clearTimeout(limit)
      const leftovers = setTimeout(() => end({ outcome: 'exited', code, ...output }), LEFTOVERS_MS)
      child.on('close', () => {
        clearTimeout(leftovers)
        end({ outcome: 'exited', code, ...output })
      })
    })
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}
