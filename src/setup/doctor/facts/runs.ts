import { readFileSync } from 'node:fs'
import { liveRuns } from '../../../child/process/live-runs.ts'
import { hubHolder } from '../../../hub/hub-lock.ts'
import { descendantsOf } from '../../../system/process-tree.ts'
import type { RunsFacts } from '../checks/runs.ts'
import type { Place } from './place.ts'

export async function runsFacts({ home, platform }: Place): Promise<RunsFacts> {
  const runs = await liveRuns(home)
  const children = runs.flatMap(({ childLives, pid }) => (childLives ? [pid] : []))
  return {
    hubRuns: (await hubHolder(home)) !== undefined,
    runs,
    bytes: platform === 'linux' ? await memoryOf(children) : undefined,
  }
}

/** Shared pages are counted in parts, so that the sum is what would be free without them. */
async function memoryOf(children: number[]): Promise<number> {
  const below = (await descendantsOf(children)).map(({ pid }) => pid)
  return [...new Set([...children, ...below])].reduce((sum, pid) => sum + proportionalBytes(pid), 0)
}

function proportionalBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1_024
  } catch {
    return 0 // it has ended
  }
}
