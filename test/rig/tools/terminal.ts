/** A real terminal: tmux, with one command in it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../cli/real-cli.ts'
import { eventually } from './eventually.ts'

/** Debian has it as a package; without it the tests that need a terminal are skipped. */
export const hasTerminal = spawnSync('tmux', ['-V']).status === 0

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly columns?: number
  readonly rows?: number
}

export type Terminal = Awaited<ReturnType<typeof openTerminal>>

export async function openTerminal(
  command: readonly string[],
  { env, cwd, columns = 80, rows = 24 }: TerminalOptions,
) {
  const folder = await temporaryFolder()
  const [socket, written] = [join(folder, 'tmux'), join(folder, 'written')]
  writeFileSync(written, '')
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      env: { PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    })
  const set = Object.entries({ ...env, TERM: 'screen' }).map(([name, value]) => `${name}=${value}`)
  const words = ['env', '-i', ...set, ...command].map(quoted).join(' ')
  // The pane stays after the command has ended, so that its last words can be read.
  tmux(
    'new-session',
    '-d',
    '-x',
    String(columns),
    '-y',
    String(rows),
    '-c',
    cwd,
    `${words}; echo "exit code $?"; exec sleep 600`,
  )
  tmux('pipe-pane', `exec cat > ${quoted(written)}`)
  let isOpen = true
  const close = () => {
    if (isOpen) tmux('kill-server')
    isOpen = false
  }
  onTestFinished(close)
  const screen = () => tmux('capture-pane', '-p', '-S', '-')
  return {
    screen,
    /** Without what has scrolled away. */
    visible: () => tmux('capture-pane', '-p'),
    /** The process that runs in it, below the shell. */
    pid: () => {
      const shell = tmux('display-message', '-p', '#{pane_pid}').trim()
      return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ')[0])
    },
    /** Letter by letter, as it is. */
    type: (text: string) => void tmux('send-keys', '-l', text),
    /** As when its window is closed. */
    close,
    /** As keys, such as `a` or `Enter`. */
    press: (...keys: readonly string[]) => void tmux('send-keys', ...keys),
    resize: (width: number, height: number) =>
      void tmux('resize-window', '-x', String(width), '-y', String(height)),
    /** Looks again only after more was written: each look is a process. */
    sees: (text: string | RegExp) => {
      let [seen, shown] = [-1, '']
      return eventually(() => {
        const { size } = statSync(written)
        if (size > seen) shown = screen()
        seen = size
        if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) return shown
        throw new Error(`The terminal does not show ${String(text)}:\n${shown}`)
      })
    },
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
