import { AppError } from '../base/errors.ts'
import type { CommandCall } from '../command-line/command.ts'
import { candidates, completionScript } from '../command-line/completion.ts'
import { oneLine } from '../command-line/views/session-words.ts'
import { withTimeout } from '../async/with-timeout.ts'
import { COMMANDS } from './table.ts'

/** A person waits for the Tab. */
const PATIENCE_MS = 200

/** `plexus completion bash` prints the script. */
export async function run({ args: [shell = ''], out }: CommandCall): Promise<void> {
  if (out.isJson)
    throw new AppError('invalid_input', 'plexus completion prints a script for a shell; omit --json.')
  out.line(completionScript(shell))
}

/** `plexus complete -- WORDS` prints what may follow; without a hub, in silence, only what needs none. */
export async function complete({ args, out, hub }: CommandCall): Promise<void> {
  const words = args[0] === '--' ? args.slice(1) : args
  const found = await candidates(COMMANDS, words, {
    session: () =>
      names(async () => {
        const { engine, context } = await hub('reads')
        return (await engine.listSessions(context, {})).map(({ id, name }) => typeable(name) ?? id)
      }),
    question: () =>
      names(async () => {
        const { engine, context } = await hub('reads')
        return (await engine.pending(context, {})).map(({ id, shortId }) => typeable(shortId) ?? id)
      }),
    client: async () => (await import('../setup/clients/client-table.ts')).CLIENT_NAMES,
  })
  for (const candidate of found) out.line(candidate)
}

/** A name that a person can read, and that stands in one line; the scripts quote it for their shell. */
function typeable(name: string | undefined): string | undefined {
  return name !== undefined && name === oneLine(name) ? name : undefined
}

async function names(read: () => Promise<readonly string[]>): Promise<readonly string[]> {
  return withTimeout(
    read().catch(() => []),
    PATIENCE_MS,
    [],
  )
}
