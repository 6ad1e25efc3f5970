/** `plexus COMMAND` as a person types it: a process of its own, without a terminal. */
import { execFile } from 'node:child_process'
import { onTestFinished } from 'vitest'
import type { HubPlace } from '../hubs/hub.ts'

export interface Typed {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** One that still runs. */
export interface Typing {
  readonly pid: number
  readonly ended: Promise<Typed>
}

export function plexusAt(place: HubPlace, env: Record<string, string> = {}) {
  const begin = beginPlexusAt(place, env)
  return (...args: readonly string[]): Promise<Typed> => begin(...args).ended
}

export function beginPlexusAt(place: HubPlace, env: Record<string, string> = {}) {
  place.startsHubs()
  return (...args: readonly string[]): Typing => {
    const options = { env: { ...place.env, PLEXUS_HOME: place.home, ...env }, cwd: place.project }
    let pid = 0
    const ended = new Promise<Typed>((resolve) => {
      const child = execFile(process.execPath, [place.program, ...args], options, (error, stdout, stderr) => {
        place.stderr += stderr
        const bySignal = error?.signal ? SIGNALLED : undefined
        resolve({ stdout, stderr, exitCode: error === null ? 0 : (bySignal ?? Number(error.code)) })
      })
      child.stdin?.end()
      pid = child.pid ?? 0
      onTestFinished(() => void child.kill('SIGKILL'))
    })
    return { pid, ended }
  }
}

const SIGNALLED = -1
