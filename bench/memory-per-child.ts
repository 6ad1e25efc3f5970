import { setTimeout } from 'node:timers/promises'
import type { Child } from '../src/child/process/child-process.ts'
import { processesOfSession } from '../src/system/process-tree.ts'
import { endEcho, startEcho } from './harness/echo-child.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'
import { memoryOfIdleNode, sharedMemoryOf } from './harness/user/process-memory.ts'

const CHILDREN = 20

export const figure: Figure = {
  id: 'P4',
  title:
    "memory per child: PSS of its keeper's two shells and heap in our process, the child itself not counted",
  reference: 'one idle node process',
  unit: 'MB',
  goal: { max: 0.05 },
  run: () =>
    inFolder((folder) =>
      inPairs(
        10,
        () => perChild(folder),
        () => memoryOfIdleNode(sharedMemoryOf),
      ),
    ),
}

async function perChild(folder: string): Promise<number> {
  const before = ownHeap()
  const children: Child[] = []
  try {
    for (let at = 0; at < CHILDREN; at++) children.push(await startEcho(folder))
    for (const child of children) void child.read(0).next()
    let keepers = 0
    for (const child of children) for (const pid of await shellsOf(child)) keepers += sharedMemoryOf(pid)
    return (keepers + ownHeap() - before) / CHILDREN
  } finally {
    await Promise.all(children.map(endEcho))
  }
}

/** Once the keeper has heard of us: before, it has the `sleep` of its lease, which is not there while a hub is. */
async function shellsOf(child: Child): Promise<number[]> {
  for (;;) {
    const own = (await child.processes())?.child.pid
    const pids = (await processesOfSession(child.sessionId)).map(({ pid }) => pid)
    if (own !== undefined && pids.length === 3 && pids.includes(own)) return pids.filter((pid) => pid !== own)
    await setTimeout(5)
  }
}

/**
 * Not our PSS: what the work needs in passing moves it up and down by more than twenty children take, and hides them.
 */
function ownHeap(): number {
  global.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}
