import { stat } from 'node:fs/promises'
import { Bell } from './bell.ts'
import { isAlive, type ProcessIdentity } from './process-identity.ts'
import { type RunEnd, runEndOf } from './run-end.ts'
import { readExitCode, type RunFolder } from './run-folder.ts'

/**
 * Undefined while the run is live. Live is: no exit code, the keeper listens, and the process is the one we
 * know. The keeper writes the exit code before it stops listening, so the code is read again last.
 */
export async function endOf(run: RunFolder, child: ProcessIdentity | undefined): Promise<RunEnd | undefined> {
  const code = await readExitCode(run)
  if (code !== undefined) return runEndOf(code)
  const listens = keeperListens(run)
  const alive = child === undefined || (await isAlive(child))
  if (listens && alive) return undefined
  const last = await readExitCode(run)
  if (last !== undefined) return runEndOf(last)
  if (!(await exists(run.path))) return { kind: 'lost', reason: 'run_folder_gone' }
  return { kind: 'lost', reason: listens ? 'exit_code_missing' : 'keeper_gone' }
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
