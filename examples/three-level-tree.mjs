/**
 * Three sessions, each below the other. The lowest wants to run a command, the middle does not decide that and hands it up with
 * a note, the top allows it, and the results come back up. Needs no account: the CLI talks to a model that this file plays.
 *
 *   npm run build && CLAUDE_CODE_PATH=$(command -v claude) node examples/three-level-tree.mjs
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { say, startScriptedHub, use } from './scripted-hub.mjs'

const NOTE = 'It is about the file that you want.'
const TASKS = { top: 'TASK-TOP', middle: 'TASK-MIDDLE', low: 'TASK-LOW' }

const plexus = (tool, input) => use(`mcp__plexus__${tool}`, input)

/** What each of the three says to the results of its tools so far. */
const SCRIPTS = {
  [TASKS.low]: ([made]) =>
    made === undefined ? use('Bash', { command: 'touch made' }) : say('low: made it'),
  [TASKS.middle]: (results) => {
    if (results.length === 0) return plexus('claude_start', { prompt: TASKS.low, waitSeconds: 50 })
    const { status, sessionId, pendingQuestion, result } = results.at(-1)
    if (status === 'done') return say(`middle: ${result}`)
    if (pendingQuestion && !pendingQuestion.escalated)
      return plexus('loopback_escalate', {
        approval_id: pendingQuestion.id,
        session_id: sessionId,
        note: NOTE,
      })
    return plexus('claude_status', { sessionId: results[0].sessionId, waitSeconds: 50 })
  },
  [TASKS.top]: (results) => {
    if (results.length === 0) return plexus('claude_start', { prompt: TASKS.middle, nested: true })
    const { status, questionsBelow: [asked] = [], result } = results.at(-1)
    if (asked) {
      console.log(`top is asked: ${asked.input.command} (${asked.escalated[0].note})`)
      return plexus('claude_respond', { sessionId: asked.sessionId, id: asked.id, answers: ['allow'] })
    }
    if (status === 'done') return say(`top: ${result}`)
    return plexus('claude_status', { sessionId: results[0].sessionId, waitSeconds: 50 })
  },
}

const { call, project, close } = await startScriptedHub(SCRIPTS)
try {
  const start = { prompt: TASKS.top, workingDirectory: project, nested: true }
  const { sessionId } = await call('claude_start', start)
  let top
  for (let tries = 0; tries < 6 && top?.status !== 'done'; tries++)
    top = await call('claude_status', { sessionId, waitSeconds: 50 })
  console.log(`the person reads: ${top.result}`)
  assert.equal(top.result, 'top: middle: low: made it')
  assert.ok(existsSync(join(project, 'made')), 'The command has run.')

  const sessions = await call('listSessions')
  const middle = sessions.find(({ parentId }) => parentId === sessionId)
  const low = sessions.find(({ parentId }) => parentId === middle.id)
  const { events } = await call('readEvents', { sessionId: low.id, limit: 1_000 })
  const eventOf = (type) => events.map(({ event }) => event).find((event) => event.type === type)
  const { by, to, note } = eventOf('approval.escalated')
  assert.deepEqual({ by, to, note }, { by: middle.id, to: sessionId, note: NOTE })
  const settled = eventOf('approval.settled')
  assert.deepEqual([settled.status, settled.by, settled.level], ['allowed', sessionId, 1])
  console.log(
    `the log of the lowest says: ${settled.status} by the session ${settled.level} above its parent`,
  )
} finally {
  await close()
}
