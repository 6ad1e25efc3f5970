import { expect, test } from 'vitest'
import { ProcessSlots } from '../../src/sessions/process-slots.ts'
import { aSession } from '../contracts/rows.ts'

interface Process {
  readonly id: string
  /** Undefined for a process at work. */
  readonly idleMs?: number
  /** It began to work before it could be stopped. */
  readonly wakesUp?: boolean
}

/** Slots over these processes, and which of them were asked to stop, in order. */
function slotsOf(max: number, ...processes: readonly Process[]) {
  const living = new Set<Process>(processes)
  const askedToStop: string[] = []
  const slots = new ProcessSlots(max, () =>
    [...living].map((process) => ({
      session: aSession({ id: process.id }),
      idleMs: process.idleMs,
      stopIfIdle: async (ms: number) => {
        askedToStop.push(process.id)
        const isIdle = process.idleMs !== undefined && process.idleMs >= ms && process.wakesUp !== true
        if (isIdle) living.delete(process)
        return isIdle
      },
    })),
  )
  return { slots, askedToStop, start: (process: Process) => living.add(process) }
}

const limit = {
  code: 'too_many_sessions',
  message: expect.stringContaining('2 sessions are at work') as string,
}

test('below the limit a process is admitted and no other is stopped', async () => {
  const { slots, askedToStop } = slotsOf(2, { id: 'a', idleMs: 5 })
  await slots.admit('b')
  expect(askedToStop).toEqual([])
})

test.each<[string[], string]>([
  [['short', 'long', 'middle'], 'long'],
  [['long', 'short', 'middle'], 'long'],
  [['middle', 'short', 'long'], 'long'],
])('at the limit, of %j the process that has been idle longest makes room', async (ids, stopped) => {
  const idleMs: Record<string, number> = { short: 0, middle: 10, long: 20 }
  const all = ids.map((id) => ({ id, idleMs: idleMs[id] ?? 0 }))
  const { slots, askedToStop } = slotsOf(4, { id: 'at work' }, ...all)
  await slots.admit('new')
  expect(askedToStop).toEqual([stopped])
})

test('a process that began to work meanwhile is left, and the next idle process makes room', async () => {
  const { slots, askedToStop } = slotsOf(2, { id: 'a', idleMs: 20, wakesUp: true }, { id: 'b', idleMs: 10 })
  await slots.admit('new')
  expect(askedToStop).toEqual(['a', 'b'])
})

test('where all processes are at work, a new process is refused and none is asked to stop', async () => {
  const { slots, askedToStop } = slotsOf(2, { id: 'a' }, { id: 'b' })
  await expect(slots.admit('c')).rejects.toMatchObject(limit)
  expect(askedToStop).toEqual([])
})

test('a session that was admitted counts until its process does', async () => {
  const { slots, start } = slotsOf(2)
  const started = await slots.admit('a')
  start({ id: 'a' })
  // In both counts at once, but one process.
  const failed = await slots.admit('b')
  await expect(slots.admit('c')).rejects.toMatchObject(limit)
  started()
  await expect(slots.admit('c')).rejects.toMatchObject(limit)
  failed()
  await slots.admit('c')
})

test('of sessions that ask at once, no more are admitted than there are slots', async () => {
  const { slots } = slotsOf(2)
  const all = await Promise.allSettled(['a', 'b', 'c'].map((id) => slots.admit(id)))
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
})
