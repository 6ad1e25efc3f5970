// Writes docs/demo.svg, the picture in the README: two moments of a real run of the demo, in a terminal (tmux), with the real
// CLI. Process ids, times and the temporary folder are always the same in it, so that a change of the picture is a change
// of the demo.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { installedCli } from './installed-cli.mjs'
import { terminalSvg } from './terminal-svg.mjs'

await import('./setup.mjs')

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'plexus-picture-'))
const LIMIT_MS = 30_000
/** Keys count only once a person could have read the question. */
const READ_MS = 1_000

function tmux(...args) {
  const own = ['-S', join(folder, 'tmux'), '-f', '/dev/null', ...args]
  return execFileSync('tmux', own, { env: { PATH: process.env.PATH, LANG: 'C.UTF-8' }, encoding: 'utf8' })
}

const screen = () => tmux('capture-pane', '-e', '-p').trimEnd().split('\n')

async function sees(text) {
  for (const end = Date.now() + LIMIT_MS; !screen().join('\n').includes(text); await setTimeout(100))
    if (Date.now() > end) throw new Error(`The demo does not show ${text}:\n${screen().join('\n')}`)
  await setTimeout(READ_MS)
}

async function answer(text, ...keys) {
  await sees(text)
  tmux('send-keys', ...keys)
}

/** It may come before or after the end of the turn. */
const RACING = /: delivered to the child at /

/** What is on the screen from this chapter on, up to the next title. */
function chapter(title, next) {
  const lines = screen()
  const [from, to] = [title, next].map((text) => lines.findIndex((line) => text && line.includes(text)))
  return lines
    .slice(from, to === -1 ? undefined : to - 1)
    .filter((line) => !RACING.test(line))
    .map(normal)
}

function normal(line) {
  return line
    .replaceAll(/\S*plexus-demo-\w+/g, '/tmp/plexus-demo')
    .replaceAll(/(?<=kill -9 )\d+/g, '51234')
    .replaceAll(/(?<=pid )\d+/g, '51298')
    .replaceAll(/\b\d+ s ago/g, '1 s ago')
    .replaceAll(/(?<=waits )\d+:\d\d/g, '0:01')
    .replaceAll(/denied in \d+ min/g, 'denied in 14 min')
}

try {
  const variables = {
    PATH: process.env.PATH,
    HOME: folder,
    TERM: 'screen-256color',
    LANG: 'C.UTF-8',
    CLAUDE_CODE_PATH: installedCli(root),
  }
  const set = Object.entries(variables).map(([name, value]) => `${name}='${value}'`)
  const command = `env -i ${set.join(' ')} '${process.execPath}' '${join(root, 'dist/main.js')}' demo`
  tmux('new-session', '-d', '-x', '80', '-y', '50', `${command}; exec sleep ${LIMIT_MS}`)
  await answer('demo.1  wants', 'a')
  await sees('demo.2  wants')
  const edit = chapter('2 of 5')
  tmux('send-keys', 'a')
  await answer('demo.3  asks', '1', 'Enter')
  await answer('demo.4  has', 'a')
  await answer('Press Enter', 'Enter')
  await answer('is still there', 'a')
  await sees('What to type next')
  const lines = [...edit, '', ...chapter('5 of 5', 'That is Plexus')]
  const title =
    'A session wants to change a file, and Plexus shows the change. Then its hub is killed, and the question of another call is still there.'
  writeFileSync(join(root, 'docs/demo.svg'), terminalSvg(lines, title))
} finally {
  tmux('kill-server')
  rmSync(folder, { recursive: true, force: true })
}
