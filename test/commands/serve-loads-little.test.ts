import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { programPath } from '../rig/tools/build-programs.ts'

/** Told once, with the line that says that the hub is ready; then the hub ends. */
const TELL = `
const { basename } = require('node:path')
process.stdout.write = () => {
  const files = Object.keys(require.cache).map((path) => basename(path).replace(/-[\\w-]{8}\\.js$/, ''))
  process._rawDebug(JSON.stringify({ files, modules: process.moduleLoadList }))
  process.reallyExit(0)
}
`

/** What the program has loaded when its hub is ready, in an empty home folder. */
async function loadedAtReady(): Promise<{ files: string[]; modules: string[] }> {
  const folder = await temporaryFolder()
  const preload = join(folder, 'tell.cjs')
  await writeFile(preload, TELL)
  const env = { PATH: '/usr/bin:/bin', HOME: folder, PLEXUS_HOME: join(folder, 'home'), LOG_LEVEL: 'error' }
  const args = ['--require', preload, programPath('plexus'), 'serve', '--port', '0', '--json']
  const hub = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void hub.kill('SIGKILL'))
  const [told] = await Promise.all([text(hub.stderr), once(hub, 'exit')])
  return JSON.parse(told)
}

test('a hub is ready before anything is loaded that it does not need for that', async () => {
  const { files, modules } = await loadedAtReady()
  const own = files.filter((file) => file !== 'tell.cjs' && !file.endsWith('.node'))
  expect(own.toSorted()).toEqual(['common', 'hub', 'main.js', 'rolldown-runtime', 'start'])
  const late = ['fs/promises', 'perf_hooks', 'internal/crypto/webcrypto', 'internal/fs/rimraf']
  expect(late.filter((name) => modules.includes(`NativeModule ${name}`))).toEqual([])
})
