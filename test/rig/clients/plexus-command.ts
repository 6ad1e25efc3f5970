/** `plexus COMMAND` as a person types it: a process of its own, without a terminal. */
import { execFile } from 'node:child_process'
import type { HubPlace } from '../hubs/hub.ts'

export interface Typed {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

export function plexusAt(place: HubPlace, env: Record<string, string> = {}) {
  place.startsHubs()
  return (...args: readonly string[]): Promise<Typed> =>
    new Promise((resolve) => {
      const options = { env: { ...place.env, PLEXUS_HOME: place.home, ...env }, cwd: place.project }
      const child = execFile(process.execPath, [place.program, ...args], options, (error, stdout, stderr) => {
        place.stderr += stderr
        resolve({ stdout, stderr, exitCode: error === null ? 0 : Number(error.code) })
      })
      child.stdin?.end()
    })
}
