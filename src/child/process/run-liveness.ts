import { stat } from 'node:fs/promises'
import { Bell } from './keeper-bell.ts'
import { isAlive, type ProcessIdentity } from '../../system/process-identity.ts'
import { type RunEnd, runEndOf } from './run-end.ts'
import { readExitCode, type RunFolder } from './run-folder.ts'

/**
 * Undefined while the run is live: it has no exit code, and both shells of the keeper are there. The child's own pid shows
 * nothing, because its keeper needs a moment to store the exit code. The keeper stores it before it ends, so the code is
 * read again last.
 */
export async function endOf(
  run: RunFolder,
  keeper: ProcessIdentity | undefined,
): Promise<RunEnd | undefined> {
  const code = await readExitCode(run)
  if (code !== undefined) return runEndOf(code)
  if (keeperListens(run) && (keeper === undefined || (await isAlive(keeper)))) return undefined
  const last = await readExitCode(run)
  if (last !== undefined) return runEndOf(last)
  return { kind: 'lost', reason: (await exists(run.path)) ? 'keeper_gone' : 'run_folder_gone' }
}

function keeperListens(run: RunFolder): boolean {
  const bell = Bell.open(run.bell)
  bell?.close()
  return bell !== undefined
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
