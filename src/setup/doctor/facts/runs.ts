import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProcesses, readExitCode, runFolderAt } from '../../../child/process/run-folder.ts'
import { hubHolder } from '../../../hub/hub-lock.ts'
import { isAlive } from '../../../system/process-identity.ts'
import { descendantsOf } from '../../../system/process-tree.ts'
import type { RunsFacts } from '../checks/runs.ts'
import type { Place } from './place.ts'

/** Read from the run folders, which the hub and its children share: no hub is asked, and no bell is rung. */
export async function runsFacts({ home, platform }: Place): Promise<RunsFacts> {
  const found = await Promise.all(foldersIn(join(home, 'runs')).map(liveRun))
  const runs = found.filter((run) => run !== undefined)
  const children = runs.flatMap(({ childLives, pid }) => (childLives ? [pid] : []))
  return {
    hubRuns: (await hubHolder(home)) !== undefined,
    runs,
    bytes: platform === 'linux' ? await memoryOf(children) : undefined,
  }
}

async function liveRun(
  path: string,
): Promise<{ childLives: boolean; keeperLives: boolean; pid: number } | undefined> {
  const run = runFolderAt(path)
  if ((await readExitCode(run)) !== undefined) return undefined
  const processes = await findProcesses(run)
  if (processes === undefined) return undefined
  const [childLives, keeperLives] = [await isAlive(processes.child), await isAlive(processes.keeper)]
  return { childLives, keeperLives, pid: processes.child.pid }
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

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}
