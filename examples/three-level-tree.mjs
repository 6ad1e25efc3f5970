/**
 * Three sessions, each below the other. The lowest wants to run a command, the middle does not decide that and hands it up with
 * a note, the top allows it, and the results come back up. Needs no account: the CLI talks to a model that this file plays.
 *
 *   npm run build && CLAUDE_CODE_PATH=$(command -v claude) node examples/three-level-tree.mjs
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const NOTE = 'It is about the file that you want.'
const TASKS = { top: 'TASK-TOP', middle: 'TASK-MIDDLE', low: 'TASK-LOW' }

const say = (words) => ({ type: 'text', text: words })
const use = (name, input) => ({ type: 'tool_use', name, input })
const plexus = (tool, input) => use(`mcp__plexus__${tool}`, input)

/** What each of the three says to what its tools have told it so far. */
const SCRIPTS = {
  low: ([made]) => (made === undefined ? use('Bash', { command: 'touch made' }) : say('low: made it')),
  middle: (told) => {
    if (told.length === 0) return plexus('claude_start', { prompt: TASKS.low, waitSeconds: 50 })
    const { status, sessionId, pendingQuestion, result } = told.at(-1)
    if (status === 'done') return say(`middle: ${result}`)
    if (pendingQuestion && !pendingQuestion.escalated)
      return plexus('loopback_escalate', {
        approval_id: pendingQuestion.id,
        session_id: sessionId,
        note: NOTE,
      })
    return plexus('claude_status', { sessionId: told[0].sessionId, waitSeconds: 50 })
  },
  top: (told) => {
    if (told.length === 0) return plexus('claude_start', { prompt: TASKS.middle, nested: true })
    const { status, questionsBelow: [asked] = [], result } = told.at(-1)
    if (asked) {
      console.log(`top is asked: ${asked.input.command} (${asked.escalated[0].note})`)
      return plexus('claude_respond', { sessionId: asked.sessionId, id: asked.id, answers: ['allow'] })
    }
    if (status === 'done') return say(`top: ${result}`)
    return plexus('claude_status', { sessionId: told[0].sessionId, waitSeconds: 50 })
  },
}

/** What the tools have told in this conversation, the last one last. */
function toldIn(messages) {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  return blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => (typeof content === 'string' ? content : content.map((one) => one.text).join('')))
    .map((words) => {
      try {
        return JSON.parse(words)
      } catch {
        return {}
      }
    })
}

function blockFor({ messages = [], tools = [] }) {
  const first = JSON.stringify(messages[0] ?? '')
  const who = Object.keys(TASKS).find((name) => first.includes(TASKS[name]))
  return who && tools.length > 0 ? SCRIPTS[who](toldIn(messages)) : say('done')
}

/** As much of a Messages API as the CLI needs. */
async function startModel() {
  let count = 0
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}')
    const block = blockFor(body)
    const isTool = block.type === 'tool_use'
    const id = `toolu_${++count}`
    const usage = { input_tokens: 1, output_tokens: 1 }
    const stop = isTool ? 'tool_use' : 'end_turn'
    const message = { id: `msg_${count}`, type: 'message', role: 'assistant', model: body.model, usage }
    if (!body.stream) {
      const content = [isTool ? { ...block, id } : block]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...message, content, stop_reason: stop, input_tokens: 1 }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (type, fields) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
    send('message_start', { message: { ...message, content: [], stop_reason: null } })
    const empty = isTool ? { ...block, id, input: {} } : { type: 'text', text: '' }
    send('content_block_start', { index: 0, content_block: empty })
    const delta = isTool
      ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      : { type: 'text_delta', text: block.text }
    send('content_block_delta', { index: 0, delta })
    send('content_block_stop', { index: 0 })
    send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage })
    send('message_stop', {})
    response.end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, server }
}

/** A hub of its own, in a home that is removed in the end; nothing of the user's is touched. */
async function startHub(folder, modelUrl) {
  const home = join(folder, 'home')
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    CLAUDE_CODE_PATH: process.env.CLAUDE_CODE_PATH,
    CLAUDE_CONFIG_DIR: join(folder, 'config'),
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }
  const main = join(import.meta.dirname, '../dist/main.js')
  const stdio = ['ignore', 'pipe', 'inherit']
  const hub = spawn(process.execPath, [main, 'serve', '--port', '0', '--home', home, '--json'], {
    env,
    stdio,
  })
  const [ready] = await new Promise((resolve, reject) => {
    createInterface({ input: hub.stdout }).once('line', (line) => resolve([JSON.parse(line)]))
    hub.once('exit', (code) => reject(new Error(`The hub ended with ${code}.`)))
  })
  const token = (await readFile(ready.tokenFile, 'utf8')).trim()
  const call = async (method, params = {}) => {
    const response = await fetch(`${ready.url}/rpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = await response.json()
    if (error) throw new Error(error.message)
    return result
  }
  return { hub, call }
}

const folder = await realpath(await mkdtemp(join(tmpdir(), 'plexus-example-')))
const project = join(folder, 'project')
await mkdir(project)
const model = await startModel()
const { hub, call } = await startHub(folder, model.url)
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
  const told = (type) => events.map(({ event }) => event).find((event) => event.type === type)
  const { by, to, note } = told('approval.escalated')
  assert.deepEqual({ by, to, note }, { by: middle.id, to: sessionId, note: NOTE })
  const settled = told('approval.settled')
  assert.deepEqual([settled.status, settled.by, settled.level], ['allowed', sessionId, 1])
  console.log(
    `the log of the lowest says: ${settled.status} by the session ${settled.level} above its parent`,
  )
  for (const session of sessions) await call('stopSession', { sessionId: session.id })
} finally {
  hub.kill('SIGTERM')
  await new Promise((resolve) => hub.once('exit', resolve))
  model.server.closeAllConnections()
  model.server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
