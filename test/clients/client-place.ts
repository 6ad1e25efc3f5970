/** Where a client runs: a home and a folder of its own, no way off this machine, and a log of what it prints. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { logs } from '../../scripts/client-packages.mjs'
import type { HowToRun, Stage } from './client.ts'

export type ClientPlace = Pick<Stage, 'home' | 'cwd' | 'env' | 'note' | 'program'>

/** In this folder; the log has that name. */
export async function clientPlace(folder: string, name: string): Promise<ClientPlace> {
  const [home, cwd] = [join(folder, 'client-home'), join(folder, 'client-work')]
  for (const one of [home, cwd]) await mkdir(one)
  const note = await logFor(name)
  const env = offlineFor(home)
  const program: Stage['program'] = (command, args, how = {}) =>
    ended(command, args, { ...how, cwd, env: { ...env, ...how.env }, note })
  return { home, cwd, env, note, program }
}

/** Where a client has no namespace of its own, a proxy that is not there keeps it from the rest of the world. */
const offlineFor = (home: string): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  HOME: home,
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  CI: '1',
  DO_NOT_TRACK: '1',
  DISABLE_TELEMETRY: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
})

async function logFor(name: string): Promise<(text: string) => void> {
  await mkdir(logs, { recursive: true })
  const file = join(logs, `${name}.log`)
  await rm(file, { force: true })
  let last = Promise.resolve()
  return (text) => {
    last = last.then(() => appendFile(file, text))
  }
}

async function ended(
  command: string,
  args: readonly string[],
  how: HowToRun & { cwd: string; env: Record<string, string>; note: (text: string) => void },
): Promise<string> {
  const started = spawn(command, args, { cwd: how.cwd, env: how.env, stdio: 'pipe', detached: true })
  const closed = once(started, 'close')
  onTestFinished(async () => {
    endGroup(started.pid)
    await closed.catch(() => {})
  })
  started.stdin.on('error', () => {})
  started.stdin.end(how.input ?? '')
  let printed = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    how.note(text)
  })
  if (how.onLine) createInterface({ input: started.stdout }).on('line', how.onLine)
  started.stderr.setEncoding('utf8').on('data', how.note)
  await closed
  return printed
}

/** The client and whatever it has started, but nothing of anybody else. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // it is gone
  }
}
