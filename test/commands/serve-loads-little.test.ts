import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { programPath } from '../rig/tools/build-programs.ts'

/** What the program has loaded by then, on stderr; then it ends. */
const TELL = `
const { basename } = require('node:path')
const tell = () => {
  const files = Object.keys(require.cache).map((path) => basename(path).replace(/-[\\w-]{8}\\.js$/, ''))
  process._rawDebug(JSON.stringify({ files, modules: process.moduleLoadList }))
  process.reallyExit(0)
}
`
const AS_IT_IS_READY = `${TELL} process.stdout.write = tell`
/** After the line that says that it is ready it stands still, until whoever reads that has asked something. */
const AS_IT_ANSWERS = `${TELL}
require('node:http').ServerResponse.prototype.end = tell
const write = process.stdout.write.bind(process.stdout)
process.stdout.write = (line) => {
  write(line)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
}
`

/** What a hub in an empty home folder has loaded at that moment; as soon as it is ready, it is asked for its sessions. */
async function loaded(moment: string): Promise<{ files: string[]; modules: string[] }> {
  const folder = await temporaryFolder()
  const preload = join(folder, 'tell.cjs')
  await writeFile(preload, moment)
  const env = { PATH: '/usr/bin:/bin', HOME: folder, PLEXUS_HOME: join(folder, 'home'), LOG_LEVEL: 'error' }
  const args = ['--require', preload, programPath('plexus'), 'serve', '--port', '0', '--json']
  const hub = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void hub.kill('SIGKILL'))
  hub.stdout.once('data', (line) => void listSessions(JSON.parse(String(line))).catch(() => {}))
  const [told] = await Promise.all([text(hub.stderr), once(hub, 'exit')])
  return JSON.parse(told)
}

/** The hub ends before it has answered. */
async function listSessions({ url, tokenFile }: { url: string; tokenFile: string }): Promise<void> {
  const headers = {
    authorization: `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'listSessions', params: {} })
  await fetch(`${url}/rpc`, { method: 'POST', headers, body })
}

test('a hub is ready before anything is loaded that it does not need for that', async () => {
  const { files, modules } = await loaded(AS_IT_IS_READY)
  const own = files.filter((file) => file !== 'tell.cjs' && !file.endsWith('.node'))
  expect(own.toSorted()).toEqual(['common', 'hub', 'main.js', 'rolldown-runtime', 'start'])
  const late = ['fs/promises', 'perf_hooks', 'internal/crypto/webcrypto', 'internal/fs/rimraf']
  expect(late.filter((name) => modules.includes(`NativeModule ${name}`))).toEqual([])
})

test('a hub answers before it loads what only MCP needs', async () => {
  const { files } = await loaded(AS_IT_ANSWERS)
  expect(files).toContain('hub-requests')
  expect(files).not.toContain('mcp-server')
})
