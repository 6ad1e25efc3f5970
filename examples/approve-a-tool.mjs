// A session wants to use a tool. It is asked, looked at, allowed, and done.
// Run, while a hub runs (npm start): node examples/approve-a-tool.mjs
import assert from 'node:assert/strict'
import { call, folder } from './hub.mjs'

const { id: session_id } = await call('claudecode.create', { working_dir: folder, loopback_enabled: true })
await call('claudecode.chat_async', { session_id, prompt: 'Run: echo hello > greeting.txt' })

let allowed = 0
for (;;) {
  // Returns the moment something is asked, or when the turn is over.
  const { approvals, sessions } = await call('loopback.wait', { session_ids: [session_id], wait_seconds: 50 })
  for (const { id, tool_name, input } of approvals) {
    console.log(`It asks to use ${tool_name}:`, input)
    const approve = tool_name === 'Bash' && input.command.startsWith('echo ')
    const answer = await call('loopback.respond', {
      approval_id: id,
      approve,
      ...(approve ? {} : { message: 'Only echo is allowed.' }),
    })
    assert.equal(answer.type, 'ok')
    if (approve) allowed += 1
  }
  const [session] = sessions
  if (session && session.status !== 'running' && session.status !== 'awaiting_permission') {
    assert.equal(session.status, 'complete')
    break
  }
}
assert.ok(allowed > 0, 'nothing was asked')
const { events } = await call('claudecode.poll', { session_id, limit: 1000 })
const { result } = events.map(({ event }) => event).find(({ type }) => type === 'complete')
console.log('It says:', result)
await call('claudecode.stop', { session_id })
