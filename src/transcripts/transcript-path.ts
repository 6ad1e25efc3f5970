import { join } from 'node:path'
import { AppError } from '../base/errors.ts'
import { SessionId } from '../base/ids.ts'
import { filesAt, newerFirst, pathsIn } from './transcript-files.ts'

/**
 * Where the transcript of a session lies, whichever folder it worked in: with its path, not with its id, both
 * versions of the CLI resume it from another folder. The newest where it was copied; undefined where there is
 * none.
 */
export async function transcriptPathOf(configFolder: string, sessionId: string): Promise<string | undefined> {
  if (!SessionId.safeParse(sessionId).success)
    throw new AppError('invalid_input', `The session id ${JSON.stringify(sessionId)} is not a UUID.`)
  const folders = await pathsIn(join(configFolder, 'projects'))
  const files = await filesAt(folders.map((folder) => join(folder, `${sessionId}.jsonl`)))
  return files.toSorted(newerFirst)[0]?.path
}
