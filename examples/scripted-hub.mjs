/** A hub of its own with a model that a script plays: for an example that needs no account and touches nothing of the user's. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

export const say = (words) => ({ type: 'text', text: words })
export const use = (name, input) => ({ type: 'tool_use', name, input })

/** `scripts` has for each task what its session says to the results of its tools so far. */
export async function startScriptedHub(scripts) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'plexus-example-')))
  const project = join(folder, 'project')
  await mkdir(project)
  const model = await startModel(scripts)
  const { hub, call } = await startHub(folder, model.url)
  const close = async () => {
    for (const { id } of await call('listSessions')) await call('stopSession', { sessionId: id })
    hub.kill('SIGTERM')
    await new Promise((resolve) => hub.once('exit', resolve))
    model.server.closeAllConnections()
    model.server.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { call, project, close }
}

/** The results of the tools in this conversation, the last one last. */
function resultsIn(messages) {
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

function blockFor(scripts, { messages = [], tools = [] }) {
  const first = JSON.stringify(messages[0] ?? '')
  const task = Object.keys(scripts).find((one) => first.includes(one))
  return task && tools.length > 0 ? scripts[task](resultsIn(messages)) : say('done')
}

/** As much of a Messages API as the CLI needs. */
async function startModel(scripts) {
  let count = 0
  const answer = async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}')
    const block = blockFor(scripts, body)
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
  }
  const server = createServer((request, response) => void answer(request, response))
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
  const main = process.env.PLEXUS_MAIN ?? join(import.meta.dirname, '../dist/main.js')
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
