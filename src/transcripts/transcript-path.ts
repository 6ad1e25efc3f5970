import { join } from 'node:path'
import { AppError } from '../base/errors.ts'
import { SessionId } from '../base/ids.ts'
import { filesAt, newerFirst, pathsIn } from './transcript-files.ts'

/**
 * The path of a session's transcript in any project folder. With the path, unlike with the id, both versions of the CLI can
 * resume it from another folder. The newest if there are copies; undefined if there is none.
 */
export async function transcriptPathOf(configFolder: string, sessionId: string): Promise<string | undefined> {
  if (!SessionId.safeParse(sessionId).success)
    throw new AppError('invalid_input', `The session id ${JSON.stringify(sessionId)} is not a UUID.`)
  const folders = await pathsIn(join(configFolder, 'projects'))
  const files = await filesAt(folders.map((folder) => join(folder, `${sessionId}.jsonl`)))
  return files.toSorted(newerFirst)[0]?.path
}
