/**
 * Two sessions whose writers store a question each in the same turn of the event loop, so that both share a commit.
 *
 *   node two-writers.mjs DATABASE SESSION MOMENT      dies when that session's question meets that moment
 */
import { approvalIdOf } from '../../src/base/ids.ts'
import type { EventOf } from '../../src/events/session-event.ts'
import { Doorbells } from '../../src/sessions/record/session-doorbells.ts'
import { SessionWriter } from '../../src/sessions/writing/session-writer.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aSession, RUN } from '../contracts/rows.ts'
import { asRunId } from '../rig/tools/ids.ts'

const [path = '', dying = '', moment = ''] = process.argv.slice(2)
const store = await openSqliteStore(path)
const writers = ['s1', 's2'].map(async (id) => {
  const session = aSession({ id })
  await store.sessions.create(session)
  const onMoment = (met: string) => {
    if (id === dying && met === moment) process.kill(process.pid, 'SIGKILL')
  }
  return SessionWriter.open({ store, doorbells: new Doorbells(), now: () => 5, onMoment }, session)
})
const questions = (await Promise.all(writers)).map((writer) => {
  const { id } = writer.session
  const asked: EventOf<'approval.opened'> = {
    type: 'approval.opened',
    approvalId: approvalIdOf(id, 'q'),
    requestId: 'q',
    kind: 'tool',
    toolName: 'Bash',
    input: { command: 'ls' },
  }
  return writer.append([asked], { run: { ...RUN, id: asRunId(`r-${id}`), sessionId: id, offset: 77 } })
})
await Promise.all(questions)
