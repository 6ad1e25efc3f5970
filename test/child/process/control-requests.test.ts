import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import type { ChildMessage } from '../../../src/child/lines/message-line.ts'
import type { ControlRequest } from '../../../src/child/lines/stdin-messages.ts'
import { ControlRequests } from '../../../src/child/process/control-requests.ts'
import { AppError } from '../../../src/base/errors.ts'

const STATUS: ControlRequest = { subtype: 'mcp_status' }

/** A child that keeps what it is asked. */
function child(): { requests: ControlRequests; asked: string[] } {
  const asked: string[] = []
  const requests = new ControlRequests(async ({ request_id: id }: ChildMessage) => {
    asked.push(String(id))
  })
  return { requests, asked }
}

const answer = (requestId = '', response: object = { subtype: 'success', response: 'fine' }) =>
  ({
    type: 'control_response',
    response: { subtype: 'success', response: undefined, request_id: requestId, ...response },
  }) as const

test('answers find their questions by id, in any order', async () => {
  const { requests, asked } = child()
  const { signal } = new AbortController()
  const sent = [requests.send(STATUS, signal), requests.send({ subtype: 'interrupt' }, signal)]
  requests.take({ type: 'conversation_reset' })
  requests.take(answer('of somebody else'))
  requests.take(answer(asked[1], { response: 'second' }))
  requests.take(answer(asked[0], { response: 'first' }))
  expect(await Promise.all(sent)).toEqual(['first', 'second'])
  expect(new Set(asked).size).toBe(2)
})

test('an answer that comes while the question is still being put counts', async () => {
  const requests: ControlRequests = new ControlRequests(({ request_id: id }) => {
    requests.take(answer(String(id)))
    return new Promise(() => {})
  })
  expect(await requests.send(STATUS, new AbortController().signal)).toBe('fine')
})

test('a refusal is an error that says what was refused and why', async () => {
  const { requests, asked } = child()
  const sent = requests.send({ subtype: 'set_model', model: 'x' }, new AbortController().signal)
  requests.take(answer(asked[0], { subtype: 'error', error: 'no such model' }))
  await expect(sent).rejects.toMatchObject({
    code: 'cli_failed',
    message: 'Claude Code refused set_model: no such model.',
  })
})

test('a wait that is ended gives the reason', async () => {
  const { requests } = child()
  const wait = new AbortController()
  const sent = requests.send(STATUS, wait.signal)
  wait.abort(new AppError('cli_failed', 'The child is gone.'))
  await expect(sent).rejects.toThrow('The child is gone.')
  const plain = new AbortController()
  const other = requests.send(STATUS, plain.signal)
  plain.abort('no error')
  await expect(other).rejects.toMatchObject({ code: 'cli_failed' })
})

test('nothing is asked when the wait is over before it begins', async () => {
  const { requests, asked } = child()
  await expect(requests.send(STATUS, AbortSignal.abort())).rejects.toThrow('aborted')
  expect(asked).toEqual([])
})

test('a question that cannot be put fails at once', async () => {
  const requests = new ControlRequests(() => Promise.reject(new Error('full')))
  await expect(requests.send(STATUS, new AbortController().signal)).rejects.toThrow('full')
})

test('nothing keeps listening, however a question ends', async () => {
  const { requests, asked } = child()
  const failing = new ControlRequests(() => Promise.reject(new Error('full')))
  const wait = new AbortController()
  const sent = requests.send(STATUS, wait.signal)
  expect(getEventListeners(wait.signal, 'abort')).toHaveLength(1)
  requests.take(answer(asked[0]))
  await sent
  await expect(failing.send(STATUS, wait.signal)).rejects.toThrow('full')
  const last = requests.send(STATUS, wait.signal)
  wait.abort()
  await expect(last).rejects.toThrow('aborted')
  expect(getEventListeners(wait.signal, 'abort')).toHaveLength(0)
})

test('a request returns what the child answers, and its refusal as it is', async () => {
  const { requests, asked } = child()
  const { signal } = new AbortController()
  const [fine, refused] = [requests.request(STATUS, signal), requests.request(STATUS, signal)]
  requests.take(answer(asked[0]))
  requests.take(answer(asked[1], { subtype: 'error', error: 'not now' }))
  expect(await fine).toBe('fine')
  await expect(refused).rejects.toThrow('Claude Code refused mcp_status: not now.')
})

test('a request to a child that ends says so, and why', async () => {
  const { requests } = child()
  const over = new AbortController()
  const sent = requests.request(STATUS, over.signal)
  const cause = new Error('gone')
  over.abort(cause)
  await expect(sent).rejects.toMatchObject({
    code: 'cli_failed',
    message: 'Claude Code ended before it answered; check the session and try again.',
    cause,
  })
})
