// Two programs follow one session, each with a place of its own: neither takes anything from the other.
// Run, while a hub runs (npm start): node examples/two-readers.mjs
import assert from 'node:assert/strict'
import { call, folder } from './hub.mjs'

const { id: session_id } = await call('claudecode.create', { working_dir: folder, loopback_enabled: true })
await call('claudecode.chat_async', { session_id, prompt: 'Run: echo hello > greeting.txt' })

// One answers and reads as it goes, the other only reads, three events at a time.
const [quick, slow] = await Promise.all([
  read('supervisor', { wait_seconds: 50 }, (approval_id) =>
    call('loopback.respond', { approval_id, approve: true }),
  ),
  read('archive', { wait_seconds: 50, limit: 3 }, () => {}),
])
assert.ok(quick.length > 3)
assert.deepEqual(slow, quick)
console.log(`Both have read the same ${quick.length} events.`)
await call('claudecode.stop', { session_id })

/** All events until the turn is over, as `seq type`. */
async function read(reader, how, onApproval) {
  const seen = []
  for (;;) {
    const page = await call('claudecode.poll', { session_id, reader, ...how })
    assert.equal(page.type, 'ok')
    seen.push(...page.events.map(({ seq, event }) => `${seq} ${event.type}`))
    for (const { id } of page.pending_approvals) await onApproval(id)
    assert.notEqual(page.status, 'failed')
    if (seen.at(-1)?.endsWith(' complete')) return seen
  }
}
