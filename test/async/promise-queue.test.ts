import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { PromiseQueue } from '../../src/async/promise-queue.ts'

test('work runs one after the other, and a failure reaches its caller only', async () => {
  const queue = new PromiseQueue()
  const steps: string[] = []
  const work = (name: string) => async () => {
    steps.push(`${name} starts`)
    await setImmediate()
    steps.push(`${name} ends`)
    if (name === 'b') throw new Error('b failed')
    return name
  }
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => queue.run(work(name))))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[2]).toMatchObject({ value: 'c' })
  expect(steps).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} starts`, `${name} ends`]))
})

test('settled waits for all work so far, also for work that fails', async () => {
  const queue = new PromiseQueue()
  const done: string[] = []
  const work = (name: string) => async () => {
    await setImmediate()
    done.push(name)
    throw new Error(`${name} failed`)
  }
  const results = Promise.allSettled(['a', 'b'].map((name) => queue.run(work(name))))
  await queue.settled()
  expect(done).toEqual(['a', 'b'])
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
