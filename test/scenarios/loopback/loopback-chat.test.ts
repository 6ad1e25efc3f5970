import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import { SseFrames } from '../../../src/text/sse-frames.ts'
import { countTo, pollToRest } from '../../rig/clients/loopback.ts'
import { type LoopbackHub, loopbackHub } from '../../rig/hubs/loopback-hub.ts'

const touch: Reply = tools(use('Bash', { command: 'touch made' }))
const SILENT = { loopback_enabled: false }

interface Frame {
  readonly method?: string
  readonly params?: { seq: number; event: { type: string; text?: string } }
  readonly result?: object
}

/** Every frame of the stream, as it comes. */
async function* streamed({ hub }: LoopbackHub, params: object, signal?: AbortSignal): AsyncGenerator<Frame> {
  const response = await fetch(`${hub.url}/rpc`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${hub.token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'claudecode.chat', params }),
    ...(signal ? { signal } : {}),
  })
  const frames = new SseFrames()
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? [])
    for (const { data } of frames.take(decoder.decode(chunk, { stream: true })))
      yield JSON.parse(data) as Frame
}

test('a chat returns the result of its turn; what would be asked is refused, and reported', async () => {
  const { place, call, create } = await loopbackHub([touch, say('I may not.'), say('Hello again.')])
  const session_id = await create(SILENT)
  const first = await call('claudecode.chat', { session_id, prompt: 'make it' })
  expect(first).toMatchObject({
    type: 'ok',
    session_id,
    status: 'complete',
    turn: 1,
    result: 'I may not.',
    refused: [{ tool_name: 'Bash' }],
  })
  expect(existsSync(join(place.project, 'made'))).toBe(false)
  const second = await call('claudecode.chat', { session_id, prompt: 'hello' })
  expect(second).toMatchObject({ turn: 2, result: 'Hello again.' })
})

test('a chat streams its events to who asks for that, and the answer is the last frame', async () => {
  const rig = await loopbackHub([say('Hello there.')])
  const session_id = await rig.create(SILENT)
  const frames: Frame[] = []
  for await (const frame of streamed(rig, { session_id, prompt: 'hello' })) frames.push(frame)
  const answer = frames.pop()
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 7, result: { type: 'ok', result: 'Hello there.' } })
  expect(frames.map(({ method }) => method)).toEqual(frames.map(() => 'claudecode.event'))
  expect(frames.map(({ params }) => params?.seq)).toEqual(countTo(frames.length))
  const events = frames.map(({ params }) => params?.event)
  expect(events[0]).toMatchObject({ type: 'start', id: session_id })
  expect(events).toContainEqual(expect.objectContaining({ type: 'content', text: 'Hello there.' }))
  expect(events).toContainEqual(expect.objectContaining({ type: 'complete', result: 'Hello there.' }))
})

test('when the caller of a chat disconnects, the turn continues', async () => {
  const rig = await loopbackHub([{ blocks: [{ type: 'text', text: 'word '.repeat(40), chunkMs: 20 }] }])
  const session_id = await rig.create(SILENT)
  const gone = new AbortController()
  const frames = streamed(rig, { session_id, prompt: 'talk' }, gone.signal)
  expect((await frames.next()).value).toMatchObject({ params: { seq: 0, event: { type: 'start' } } })
  gone.abort()
  expect(await pollToRest(rig.call, { session_id })).toMatchObject({ status: 'complete', turn: 1 })
})

test('a chat with a session that asks would wait for itself: the error says what to call instead', async () => {
  const { call, create } = await loopbackHub([say('never said')])
  const session_id = await create({ name: 'asks' })
  expect(await call('claudecode.chat', { name: 'asks', prompt: 'go' })).toEqual({
    type: 'error',
    code: 'would_deadlock',
    message: expect.stringContaining('call claudecode.chat_async') as string,
  })
  expect(await call('claudecode.poll', { session_id })).toMatchObject({ turn: 0, total_events: 0 })
})

test('over MCP a chat sends its text as progress, and an error of the family is a result that is an error', async () => {
  const { hub, place, create } = await loopbackHub([say('Hello there.')])
  const client = new Client({ name: 'test', version: '0' })
  onTestFinished(() => client.close())
  const requestInit = { headers: { authorization: `Bearer ${hub.token}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp?tools=plexus`), { requestInit }),
  )
  expect(client.getInstructions()).toContain('claudecode_poll')
  const { tools: listed } = await client.listTools()
  expect(listed.map(({ name }) => name)).toContain('claudecode_chat_async')
  expect(listed.every(({ name }) => /^(claudecode|loopback)_/.test(name))).toBe(true)
  const input = { working_dir: place.project }
  const made = await client.callTool({ name: 'claudecode_create', arguments: input })
  const { id: session_id } = made.structuredContent as { id: string }
  place.sessions.add(session_id)
  const heard: (string | undefined)[] = []
  const told = await client.callTool(
    { name: 'claudecode_chat', arguments: { session_id, prompt: 'hello' } },
    { onprogress: ({ message }) => void heard.push(message) },
  )
  expect(told.structuredContent).toMatchObject({ type: 'ok', result: 'Hello there.' })
  expect(heard).toContain('Hello there.')
  const asks = await create()
  const refused = await client.callTool({
    name: 'claudecode_chat',
    arguments: { session_id: asks, prompt: 'hello' },
  })
  expect(refused).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('"type":"error"') }],
  })
})
