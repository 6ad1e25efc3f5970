// A plain `claude` that this program starts itself asks at the hub, as a session of its own.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { call, folder } from './hub.mjs'

const { session_id, command } = await call('loopback.configure', { working_dir: folder })
// The command is for a shell; what claude is to do comes at its end. Another claude than the one on the path: CLAUDE.
const claude = process.env.CLAUDE ?? 'claude'
const line = `claude() { '${claude}' "$@"; }; ${command} -p "Run: echo hello > greeting.txt"`
const child = spawn('/bin/sh', ['-c', line], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
const said = text(child.stdout)
const ended = once(child, 'close')

let over = false
void ended.then(() => (over = true))
let asked = 0
while (!over) {
  const { approvals } = await call('loopback.pending', { session_id })
  for (const { id, tool_name, input } of approvals) {
    console.log(`It asks to use ${tool_name}:`, input)
    await call('loopback.respond', { approval_id: id, approve: true })
    asked += 1
  }
  // This session has no process of ours, so its end is not told here: wait for the next question, or for claude.
  const wait = call('claudecode.poll', { session_id, wait_seconds: 1 })
  await Promise.race([ended, wait, new Promise((resolve) => setTimeout(resolve, 100))])
}
const [code] = await ended
console.log('It says:', (await said).trim())
assert.equal(code, 0)
assert.ok(asked > 0, 'nothing was asked')
