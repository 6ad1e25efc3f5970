import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { AppError } from '../../base/errors.ts'
import { runCommand } from '../../system/run-command.ts'

/** Where systems have their own: it is preferred, because it stays where it is and may open every file of its user. */
const SYSTEM_FOLDERS = ['/usr/bin', '/bin']

const VERSION_MS = 5_000

/** The full path of a curl that speaks over unix sockets. It is found once: the relay searches no PATH. */
export async function findCurl(path: string | undefined, own = SYSTEM_FOLDERS): Promise<string> {
  const folders = [...own, ...(path ?? '').split(delimiter).filter(isAbsolute)]
  for (const folder of new Set(folders)) {
    const file = join(folder, 'curl')
    if (isProgram(file) && (await hasUnixSockets(file))) return file
  }
  throw new AppError(
    'not_found',
    'Terminals ask the hub by curl, and none that speaks over unix sockets was found in PATH; install curl and try again.',
  )
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

async function hasUnixSockets(file: string): Promise<boolean> {
  const result = await runCommand(file, ['-q', '--version'], { env: {}, timeoutMs: VERSION_MS })
  return result.outcome === 'exited' && /^Features:.* UnixSockets\b/m.test(result.stdout)
}
