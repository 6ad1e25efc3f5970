import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { applicationKey } from '../../src/push/application-key.ts'
import { type PushMessage, PushQueue, type PushTarget } from '../../src/push/push-queue.ts'
import { type PushService, pushService } from '../rig/clients/push-service.ts'

const KEY = applicationKey(randomBytes(32).toString('base64url'))

const message = (topic: string, text = topic): PushMessage => ({
  text: JSON.stringify(text),
  topic,
  ttlSeconds: 60,
  urgency: 'high',
})

function queueTo(service: PushService, over = new AbortController()) {
  const problems: string[] = []
  const gone: string[] = []
  let target: PushTarget | undefined = service.subscription
  const queue = new PushQueue({
    target: async () => target,
    key: async () => KEY,
    rules: { allowsLoopback: true },
    onGone: async ({ endpoint }) => {
      gone.push(endpoint)
      target = undefined
    },
    onProblem: (reason) => problems.push(reason),
    over: over.signal,
    retryMs: [1, 1],
  })
  return { queue, problems, gone, remove: () => (target = undefined) }
}

test('a message reaches its push service encrypted, signed, with topic, time to live and urgency', async () => {
  const service = await pushService()
  const { queue, problems } = queueTo(service)
  queue.add(message('one', 'hello'))
  await queue.idle()
  expect(service.received).toMatchObject([
    {
      path: '/send/one',
      message: 'hello',
      headers: { topic: 'one', ttl: '60', urgency: 'high', 'content-encoding': 'aes128gcm' },
      claims: { publicKey: KEY.publicKey, aud: new URL(service.subscription.endpoint).origin },
    },
  ])
  expect(problems).toEqual([])
})

test.each([404, 410])('after %d the subscription is gone, and nothing more is sent', async (status) => {
  const service = await pushService()
  service.status = status
  const { queue, gone } = queueTo(service)
  for (const topic of ['one', 'two']) queue.add(message(topic))
  await queue.idle()
  expect([gone, service.requests()]).toEqual([[service.subscription.endpoint], 1])
})

test.each([
  [503, 3, 'it could not be reached'],
  [429, 3, 'it could not be reached'],
  [400, 1, 'it refused a message'],
  [302, 1, 'it refused a message'],
])('status %d is tried %d times', async (status, times, problem) => {
  const service = await pushService()
  service.status = status
  const { queue, problems } = queueTo(service)
  queue.add(message('one'))
  await queue.idle()
  expect([service.requests(), problems]).toEqual([times, [problem]])
})

test('R36: a push service that never answers costs a bounded queue, and the newest of a topic waits there', async () => {
  const service = await pushService()
  service.status = undefined
  const over = new AbortController()
  const { queue, problems } = queueTo(service, over)
  queue.add(message('first'))
  await service.has(1)
  for (let at = 0; at < 60; at++) queue.add(message(`t${at}`))
  for (let at = 0; at < 60; at++) queue.add(message('t0', `newer ${at}`))
  expect(problems).toEqual(Array.from({ length: 10 }, () => 'too many messages wait for it'))
  expect([queue.drop('t0'), queue.drop('t0')]).toEqual([true, false])
  over.abort()
  await queue.idle()
  expect(service.requests()).toBe(1)
})

test('a device that is removed while its message waits is sent nothing', async () => {
  const service = await pushService()
  const { queue, remove } = queueTo(service)
  remove()
  queue.add(message('one'))
  await queue.idle()
  expect(service.requests()).toBe(0)
})

test('S51: an address inside the network is not connected to, whatever is stored', async () => {
  const service = await pushService()
  const problems: string[] = []
  const queue = new PushQueue({
    target: async () => service.subscription,
    key: async () => KEY,
    rules: { allowsLoopback: false },
    onGone: async () => {},
    onProblem: (reason) => problems.push(reason),
    over: new AbortController().signal,
  })
  queue.add(message('one'))
  await queue.idle()
  expect([service.requests(), problems]).toEqual([0, ['it refused a message']])
})
