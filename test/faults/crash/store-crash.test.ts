import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { seqsOf, rangeOf } from '../../contracts/rows.ts'
import { programPath } from '../../rig/tools/build-programs.ts'
import { storeFolder } from '../../rig/hubs/store-folder.ts'

describe('a process that dies while it stores', () => {
  const place = storeFolder()

  it('I6: leaves every seq it was given, no gap, and no step in part', async () => {
    let begun = 0
    for (const steps of [1, 7, 40, 133, 300]) {
      const told = await killAfter(place.path, steps)
      const store = await openSqliteStore(place.path)
      const { first, last } = await rangeOf(store, 's1')
      expect(first).toBe(1)
      expect(last).toBeGreaterThanOrEqual(told)
      expect(told).toBeGreaterThan(begun)
      expect(await seqsOf(store, 0, last + 1)).toEqual(Array.from({ length: last }, (_, at) => at + 1))
      expect((await store.runs.get('r1'))?.offset).toBe(last)
      await store.close()
      begun = last
    }
  })
})

/** The last seq that the program had told of. */
async function killAfter(path: string, steps: number): Promise<number> {
  const child = spawn(process.execPath, [programPath('appender'), path])
  const errors = text(child.stderr)
  const ended = once(child, 'exit')
  let told = 0
  let lines = 0
  for await (const line of createInterface(child.stdout)) {
    told = Number(line)
    lines += 1
    if (lines === steps) child.kill('SIGKILL')
  }
  expect(await ended).toEqual([null, 'SIGKILL'])
  // Also that no SQLite, of Node or of the package, has anything to say on stderr.
  expect(await errors).toBe('')
  return told
}

describe('a process that dies around a commit that two sessions share', () => {
  const place = storeFolder()

  it.each([
    ['s1', 'before-commit', 0],
    ['s2', 'before-commit', 0],
    ['s1', 'after-commit', 1],
    ['s2', 'after-commit', 1],
  ])('in the step of %s, %s, leaves %i questions of each', async (dying, moment, left) => {
    const child = spawn(process.execPath, [programPath('two-writers'), place.path, dying, moment])
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    const store = await openSqliteStore(place.path)
    for (const id of ['s1', 's2']) {
      expect(await store.approvals.pending([id])).toHaveLength(left)
      expect(await rangeOf(store, id)).toEqual({ first: 1, last: left })
      expect((await store.runs.get(`r-${id}`))?.offset).toBe(left === 0 ? undefined : 77)
    }
    await store.close()
  })
})

describe('I2: a durable step', () => {
  const place = storeFolder()

  it('is synced before it returns, and no other is', async (test) => {
    const probe = spawnSync('strace', ['-e', 'trace=fsync', '-o', '/dev/null', 'true'])
    test.skip(probe.status !== 0, 'needs strace, and the right to use it, to see what is synced')
    const syncs = await syncsOfLog(place.path, 40, 20)
    expect(syncs).toBeGreaterThanOrEqual(20)
    expect(syncs).toBeLessThan(25)
  })
})

async function syncsOfLog(path: string, steps: number, durable: number): Promise<number> {
  const trace = `${path}.trace`
  const program = [process.execPath, programPath('appender'), path, String(steps), String(durable)]
  const child = spawn('strace', ['-f', '-y', '-e', 'trace=fsync,fdatasync', '-o', trace, ...program], {
    stdio: 'ignore',
  })
  expect(await once(child, 'exit')).toEqual([0, null])
  return (await readFile(trace, 'utf8')).split('\n').filter((line) => line.includes(`${path}-wal>`)).length
}
