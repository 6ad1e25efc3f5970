// Follows a session by polling: everything that happens, each thing once, until the turn is over. Two turns of it.
// Run, while a hub runs (npm start): node examples/poll-loop.mjs
import assert from 'node:assert/strict'
import { call, folder } from './hub.mjs'

const { id: session_id } = await call('claudecode.create', { working_dir: folder, loopback_enabled: true })

for (const prompt of ['Run: echo hello > greeting.txt', 'What did you do?']) {
  await call('claudecode.chat_async', { session_id, prompt })
  const { turn, seqs, status } = await followTurn()
  assert.equal(status, 'complete')
  // The numbers of a turn begin with 0 and have no gap.
  assert.deepEqual(seqs, [...seqs.keys()])
  console.log(`Turn ${turn} had ${seqs.length} events.`)
}
await call('claudecode.stop', { session_id })

async function followTurn() {
  const seqs = []
  for (;;) {
    const page = await call('claudecode.poll', { session_id, wait_seconds: 50 })
    assert.equal(page.type, 'ok')
    for (const { seq, event } of page.events) {
      seqs.push(seq)
      if (event.type === 'content') console.log('It says:', event.text)
      if (event.type === 'tool_use') console.log('It uses:', event.tool_name, event.input)
    }
    for (const { id } of page.pending_approvals)
      await call('loopback.respond', { approval_id: id, approve: true })
    const over = page.status === 'complete' || page.status === 'failed'
    if (over && !page.has_more) return { turn: page.turn, seqs, status: page.status }
  }
}
