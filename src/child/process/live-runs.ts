import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../../system/process-identity.ts'
import { findProcesses, readExitCode, runFolderAt } from './run-folder.ts'

export interface LiveRun {
  readonly childLives: boolean
  readonly keeperLives: boolean
  readonly pid: number
}

/**
 * The runs of a home folder that have not ended, from the run folders, which the hub and its children share: no hub is asked,
 * and no bell is rung.
 */
export async function liveRuns(home: string): Promise<LiveRun[]> {
  const found = await Promise.all(foldersIn(join(home, 'runs')).map(liveRun))
  return found.filter((run) => run !== undefined)
}

async function liveRun(path: string): Promise<LiveRun | undefined> {
  const run = runFolderAt(path)
  if ((await readExitCode(run)) !== undefined) return undefined
  const processes = await findProcesses(run)
  if (processes === undefined) return undefined
  const [childLives, keeperLives] = [await isAlive(processes.child), await isAlive(processes.keeper)]
  return { childLives, keeperLives, pid: processes.child.pid }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}
