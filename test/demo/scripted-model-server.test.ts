import { expect, onTestFinished, test } from 'vitest'
import type { Scenario } from '../../src/demo/scenario.ts'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { startScriptedModel } from '../../src/demo/scripted-model.ts'

async function start(scenario: Scenario) {
  const model = await startScriptedModel(scenario)
  onTestFinished(() => model.close())
  return model
}

interface Ask {
  session?: string
  agent?: string
  path?: string
  text?: string
  stream?: boolean
  signal?: AbortSignal
}

const ask = (
  url: string,
  { session = 'S', agent, path = '/v1/messages', text = 'hi', stream, signal }: Ask = {},
) =>
  fetch(`${url}${path}?beta=true`, {
    method: 'POST',
    headers: { 'x-claude-code-session-id': session, ...(agent && { 'x-claude-code-agent-id': agent }) },
    body: JSON.stringify({
      model: 'claude-x',
      system: 's',
      tools: [{ name: 'Bash' }],
      messages: [{ role: 'user', content: text }],
      stream,
    }),
    ...(signal && { signal }),
  })

/** Taken at once, so that a rejection before the await is nobody's surprise. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a request that came before the wait is found', async () => {
  const model = await start({ main: [say('one')] })
  await ask(model.url)
  expect(await model.request(({ lastUserText }) => lastUserText === 'hi')).toBe(model.requests[0])
})

test('waiting for a request ends with the signal or with the server', async () => {
  const model = await start({ main: [] })
  const stop = new AbortController()
  const waiting = model.request(() => true, stop.signal)
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(model.request(() => true, stop.signal)).rejects.toThrow('enough')
  const forgotten = errorOf(model.request(() => true))
  await model.close()
  expect(await forgotten).toMatchObject({ code: 'not_found' })
  await expect(model.request(() => true)).rejects.toMatchObject({ code: 'not_found' })
})

test('closing ends a connection that hangs, and can be repeated', async () => {
  const model = await start({ main: [{ hang: true }] })
  const hanging = errorOf(ask(model.url))
  await model.request(() => true)
  await model.close()
  expect(await hanging).toBeInstanceOf(TypeError)
  await model.close()
})

test('closing ends a reply that is still being streamed', async () => {
  const model = await start({ main: [{ blocks: [{ type: 'text', text: 'a b c d e f', chunkMs: 60_000 }] }] })
  const response = await ask(model.url, { stream: true })
  await model.close()
  await expect(response.text()).rejects.toThrow('terminated')
})

test('a request whose client disconnects is marked as aborted', async () => {
  const model = await start({ main: [{ blocks: [], delayMs: 60_000 }] })
  const leave = new AbortController()
  const left = errorOf(ask(model.url, { signal: leave.signal }))
  await model.request(({ aborted }) => !aborted)
  leave.abort()
  expect(await left).toMatchObject({ name: 'AbortError' })
  expect(await model.request(({ aborted }) => aborted)).toBe(model.requests[0])
})

test('an error has its status, its message and the time to wait', async () => {
  const model = await start({ main: [{ status: 429, message: 'slow down', retryAfterSeconds: 2 }] })
  const response = await ask(model.url)
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(await response.json()).toEqual({
    type: 'error',
    error: { type: 'rate_limit_error', message: 'slow down' },
  })
})

test('a script that throws is an error that is not retried', async () => {
  const model = await start({
    main: () => {
      throw new Error('no such line')
    },
  })
  const response = await ask(model.url)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('no such line')
})

test('a request that does not stream gets a whole message for the model it asked for', async () => {
  const model = await start({ main: [tools(use('Bash', { command: 'ls' }, 'toolu_a'))] })
  expect(await (await ask(model.url)).json()).toMatchObject({
    model: 'claude-x',
    stop_reason: 'tool_use',
    content: [{ type: 'tool_use', id: 'toolu_a', name: 'Bash', input: { command: 'ls' } }],
  })
})

test('every session begins at the start', async () => {
  const model = await start({ main: [say('one'), say('two')] })
  const said = async (session: string) => (await ask(model.url, { session })).text()
  expect(await said('A')).toContain('"one"')
  expect(await said('A')).toContain('"two"')
  expect(await said('B')).toContain('"one"')
  expect(await said('A')).toContain('"done"')
})

test('every agent begins at the start of the list that its first message names', async () => {
  const model = await start({
    main: [say('main one'), say('main two')],
    agents: { JOB: [say('one'), say('two')] },
  })
  const said = async (agent: string, text: string) => (await ask(model.url, { agent, text })).text()
  expect(await (await ask(model.url)).text()).toContain('"main one"')
  expect(await said('a', 'do JOB')).toContain('"one"')
  expect(await said('a', 'do JOB')).toContain('"two"')
  expect(await said('b', 'do JOB')).toContain('"one"')
  expect(await said('c', 'do something else')).toContain('"done"')
  expect(await (await ask(model.url)).text()).toContain('"main two"')
})

test('tokens are counted from the size of the request, up to a limit', async () => {
  const model = await start({ main: [] })
  const count = async (text: string) =>
    (await ask(model.url, { path: '/v1/messages/count_tokens', text })).json()
  await count('')
  const { bytes } = await model.request(() => true)
  expect(await count('')).toEqual({ input_tokens: Math.ceil(bytes / 4) })
  expect(await count('x'.repeat(4000))).toEqual({ input_tokens: Math.ceil((bytes + 4000) / 4) })
  expect(await count('x'.repeat(1_000_000))).toEqual({ input_tokens: 50_000 })
})

test('a path that does not exist is not found', async () => {
  const model = await start({ main: [] })
  expect((await ask(model.url, { path: '/v1/models' })).status).toBe(404)
})

test('the error for a taken port names the port', async () => {
  const model = await start({ main: [] })
  const port = Number(new URL(model.url).port)
  await expect(startScriptedModel({ main: [] }, { port })).rejects.toMatchObject({
    code: 'in_use',
    message: expect.stringContaining(String(port)),
  })
})
