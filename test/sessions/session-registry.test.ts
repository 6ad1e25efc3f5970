import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LiveSessions } from '../../src/sessions/session-registry.ts'
import { collectGarbage, collectNow } from '../rig/tools/collect-garbage.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { resolvable } from '../rig/clients/people.ts'
import { runs } from '../rig/tools/property-runs.ts'

interface One {
  readonly id: string
  readonly nth: number
}

function counted(fails = () => false) {
  let woken = 0
  const awake = new LiveSessions<One>(async (id) => {
    await setImmediate()
    if (fails()) throw new Error('not now')
    return { id, nth: woken++ }
  })
  return { awake, woken: () => woken }
}

test('whoever asks at once gets the same one, and one that could not wake is tried again', async () => {
  let fails = true
  const { awake, woken } = counted(() => fails)
  await expect(awake.get('a')).rejects.toThrow('not now')
  expect(awake.size).toBe(0)
  fails = false
  const [first, second] = await Promise.all([awake.get('a'), awake.get('a')])
  expect(second).toBe(first)
  expect(await awake.get('a')).toBe(first)
  expect(await awake.settled()).toEqual([first])
  expect(woken()).toBe(1)
})

test('what nobody holds is let go, and what somebody holds is not', async () => {
  const { awake } = counted()
  const held = await awake.get('held')
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => awake.get(`free ${n}`)))
  expect(awake.size).toBe(1_001)
  await eventually(async () => {
    await collectGarbage()
    expect(awake.size).toBe(1)
  })
  expect(await awake.get('held')).toBe(held)
})

const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ take: fc.constantFrom('a', 'b'), waits: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ drop: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.constant('collect' as const) },
)

test('whatever is taken, dropped and collected, there are never two of one id', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 15 }), async (all) => {
      const { awake } = counted()
      const held: One[] = []
      const coming: Promise<unknown>[] = []
      for (const step of all) {
        if (step === 'collect') await collectGarbage()
        else if ('drop' in step) held.splice(step.drop, 1)
        else {
          const taken = awake.get(step.take).then((one) => held.push(one))
          coming.push(taken)
          if (step.waits) await taken
        }
        for (const id of ['a', 'b'])
          expect(new Set(held.filter((one) => one.id === id)).size).toBeLessThanOrEqual(1)
      }
      await Promise.all(coming)
      for (const id of ['a', 'b'])
        expect(new Set(held.filter((one) => one.id === id)).size).toBeLessThanOrEqual(1)
    }),
    { numRuns: runs(100) },
  )
})

test('who wakes one with which something is done while it sleeps waits for that, and one that is awake is left alone', async () => {
  const { awake, woken } = counted()
  const { promise, resolve } = resolvable<void>()
  const work = () => promise
  const working = awake.whileAsleep('a', work)
  const waking = awake.get('a')
  expect(await awake.whileAsleep('a', work)).toBe(false)
  await setImmediate()
  expect(woken()).toBe(0)
  resolve()
  expect(await working).toBe(true)
  expect(await waking).toMatchObject({ id: 'a', nth: 0 })
  expect(await awake.whileAsleep('a', work)).toBe(false)
  await expect(awake.whileAsleep('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await awake.get('b')).toMatchObject({ id: 'b' })
})

test('values are the sessions in memory; settled also waits for those that are being loaded, and omits what failed', async () => {
  const { awake } = counted()
  const held = await awake.get('held')
  const loading = awake.get('loading')
  expect(awake.values()).toEqual([held])
  expect(await awake.settled()).toEqual([held, await loading])
  const failing = counted(() => true).awake
  failing.get('gone').catch(() => {})
  expect(await failing.settled()).toEqual([])
})

test('a session that was collected is among neither, and can be locked again and again', async () => {
  const { awake } = counted()
  await awake.get('a')
  await collectGarbage()
  expect(awake.values()).toEqual([])
  expect(await awake.settled()).toEqual([])
  for (const id of ['a', 'a']) expect(await awake.whileAsleep(id, async () => {})).toBe(true)
})

test.each(['at once', 'slowly'])(
  'a session that is loaded again %s, before it is known that it was collected, is the only one',
  async (how) => {
    let loads = 0
    const gate = resolvable<void>()
    const awake = new LiveSessions<One>(async (id) => {
      if (++loads > 1 && how === 'slowly') await gate.promise
      return { id, nth: loads }
    })
    await awake.get('a')
    await setImmediate()
    collectNow()
    expect(awake.values()).toEqual([])
    const left = awake.settled()
    const again = awake.get('a')
    const held = how === 'slowly' ? undefined : await again
    await collectGarbage()
    gate.resolve()
    expect(await awake.get('a')).toBe(await again)
    expect(held ?? (await again)).toMatchObject({ nth: 2 })
    expect(loads).toBe(2)
    expect(await left).toEqual([])
  },
)

test('a session that is forgotten is loaded again', async () => {
  const { awake } = counted()
  const first = await awake.get('a')
  awake.forget('a')
  expect(awake.size).toBe(0)
  expect(await awake.get('a')).not.toBe(first)
})
