/** Another user of this machine, as far as one can be had: programs that run as `nobody`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const NOBODY = 65_534

/** Only root can become somebody else. */
export const hasStranger = process.getuid?.() === 0
if (!hasStranger)
  process.stderr.write(
    '\n*** SKIPPED: attacks by another user of this machine need root, which can act as one. Run them as root too. ***\n\n',
  )

/** Who attacks: another user where there can be one, else another program of ours. */
const as = hasStranger ? { uid: NOBODY, gid: NOBODY } : {}

/** The text of a program goes by the command line: nobody may read our folders. */
const SQUATTER = readFileSync(join(import.meta.dirname, '../../fixtures/squatter.mjs'), 'utf8')

interface Heard {
  readonly method?: string
  readonly url?: string
  readonly authorization?: string
  readonly rpc?: string
}

export interface Squatter {
  /** All that it was sent. */
  readonly heard: readonly Heard[]
  readonly tokens: () => string[]
  readonly end: () => Promise<void>
}

/** Listens where a hub was, as soon as it can; returns when it does. */
export async function squatOn(where: number | string): Promise<Squatter> {
  const args = ['--input-type=module', '-e', SQUATTER, '--', String(where)]
  const stranger: ChildProcess = spawn(process.execPath, args, {
    ...as,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(stranger, 'close')
  const end = async () => {
    stranger.kill('SIGKILL')
    await closed
  }
  onTestFinished(end)
  const heard: Heard[] = []
  await new Promise<void>((resolve, reject) => {
    if (!stranger.stdout) return reject(new Error('It says nothing.'))
    createInterface({ input: stranger.stdout }).on('line', (line) => {
      const said = JSON.parse(line) as Heard & { listening?: boolean }
      if (said.listening) resolve()
      else heard.push(said)
    })
    stranger.once('close', () => reject(new Error('It ended.')))
  })
  return {
    heard,
    tokens: () => heard.flatMap(({ authorization }) => authorization?.replace('Bearer ', '') ?? []),
    end,
  }
}

const run = promisify(execFile)

/** What a shell command says when another user runs it. */
export async function asStranger(command: string, input: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', command], {
    ...as,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', ...input },
  })
  return stdout.trim()
}
