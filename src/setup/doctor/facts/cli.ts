import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../../base/errors.ts'
import { findCli } from '../../../child/launch/find-cli.ts'
import type { CliFacts } from '../checks/cli.ts'
import type { Place } from './place.ts'

/** For each `claude` that is tried, and for the login shell. */
const LIMIT_MS = 4_000

/** What the launcher says that npm leaves without its program when install scripts are off. */
const NO_PROGRAM = /native binary not installed/

export async function cliFacts({ env }: Place): Promise<CliFacts> {
  try {
    return { kind: 'found', ...(await findCli(env, { timeoutMs: LIMIT_MS })) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [path] = /^\/.*?(?= does not answer --version)/s.exec(error.message) ?? []
    const program = path !== undefined && NO_PROGRAM.test(error.message) ? programBeside(path) : undefined
    return { kind: 'missing', sentence: error.message, program }
  }
}

/** npm puts the program of this platform into a package beside that of the launcher. */
function programBeside(launcher: string): string | undefined {
  const parts = realpathSync(launcher).split('/node_modules/')
  const root = join(parts.slice(0, -1).join('/node_modules/'), 'node_modules')
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`
  const inside = join(dirname(realpathSync(launcher)), '../node_modules')
  return [root, inside]
    .flatMap((folder) => ['', '-musl'].map((libc) => join(folder, `${name}${libc}`, 'claude')))
    .find((path) => existsSync(path))
}
