import { spawn } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { openLogFile } from '../log-file.ts'

export interface HubStartOptions {
  readonly home: string
  /** The file that Node is to run: this program. */
  readonly program: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly port: number
}

/** A hub in the background, from its start on. */
export interface StartedHub {
  readonly hasEnded: () => boolean
  /** The last line of its log. */
  readonly lastLogLine: () => Promise<string>
}

const IDLE_SECONDS = 600

/**
 * Starts a hub that outlives this process: in its own process group, with none of our streams, and not in the working
 * directory of our client. Its log goes to a private file of the home folder.
 */
export async function startHub({ home, program, env, port }: HubStartOptions): Promise<StartedHub> {
  const path = join(home, 'hub.log')
  const log = await openLogFile(path)
  try {
    const from = (await log.stat()).size
    const args = ['--home', home, '--port', String(port), '--exit-when-idle', String(IDLE_SECONDS), '--json']
    const hub = spawn(process.execPath, [program, 'serve', ...args], {
      detached: true,
      stdio: ['ignore', 'ignore', log.fd],
      cwd: existsSync(env['HOME'] ?? '') ? env['HOME'] : '/',
      env: { ...env },
    })
    hub.unref()
    let hasEnded = false
    for (const event of ['error', 'exit'] as const) hub.once(event, () => (hasEnded = true))
    return { hasEnded: () => hasEnded, lastLogLine: () => lastLine(path, from) }
  } finally {
    await log.close()
  }
}

async function lastLine(path: string, from: number): Promise<string> {
  const log = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await log.stat()
    const start = Math.max(from, size - 4_096)
    const { buffer, bytesRead } = await log.read(Buffer.alloc(4_096), 0, 4_096, start)
    return buffer.toString('utf8', 0, bytesRead).trim().split('\n').at(-1) ?? ''
  } finally {
    await log.close()
  }
}
