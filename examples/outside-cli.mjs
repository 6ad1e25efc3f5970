// A plain `claude` that this program starts itself asks at the hub, as a session of its own.
// Run, while a hub runs (npm start): node examples/outside-cli.mjs
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { call, folder } from './hub.mjs'

const { session_id, command } = await call('loopback.configure', { working_dir: folder })
// The command is for a shell; what claude is to do comes at its end. Another claude than the one on the path: CLAUDE.
const claude = process.env.CLAUDE ?? 'claude'
const line = `claude() { command '${claude}' "$@"; }; ${command} -p "Run: echo hello > greeting.txt"`
const child = spawn('/bin/sh', ['-c', line], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
const said = text(child.stdout)
const ended = once(child, 'close')

let asked = 0
for (;;) {
  // The process is not the hub's, so its end is not reported there.
  const next = await Promise.race([ended, call('claudecode.poll', { session_id, wait_seconds: 2 })])
  if (Array.isArray(next)) break
  assert.equal(next.type, 'ok')
  for (const { id, tool_name, input } of next.pending_approvals) {
    console.log(`It asks to use ${tool_name}:`, input)
    await call('loopback.respond', { approval_id: id, approve: true })
    asked += 1
  }
}
const [code] = await ended
console.log('It says:', (await said).trim())
assert.equal(code, 0)
assert.ok(asked > 0, 'nothing was asked')
