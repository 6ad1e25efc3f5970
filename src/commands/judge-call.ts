import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { configFrom, type Env } from '../assembly/config.ts'
import { callerIdOf } from '../callers/caller.ts'
import { RELAY_TOKEN } from '../child/launch/mcp-servers.ts'
import { AppError } from '../base/errors.ts'
import { createRemoteEngine } from '../hub-client/remote-engine.ts'
import { readPrivateFile } from '../system/files/private-file.ts'
import { SESSION_MARK } from '../system/session-mark.ts'

/**
 * The hook of a claude that plexus run has started: stdin has a tool call, stdout gets what it may. Whatever goes wrong here
 * refuses the call: after any exit code but 2 the CLI would decide by its own rules.
 */
export async function judgeCall(
  env: Env,
  { home }: Readonly<Record<string, unknown>>,
  file: string,
): Promise<number> {
  try {
    const { [RELAY_TOKEN]: token, [SESSION_MARK]: name } = Config.parse(
      JSON.parse(await readPrivateFile(file)),
    ).mcpServers.plexus.env
    const socket = join(resolve(configFrom(env, home === undefined ? {} : { home }).home), 'hub.sock')
    const hookInput: unknown = JSON.parse(await text(process.stdin))
    const engine = createRemoteEngine({ find: async () => ({ socket, token }) })
    const caller = {
      id: callerIdOf('session', name),
      kind: 'session',
      name,
      scopes: [],
      person: false,
    } as const
    const output = await untilAnswered(() => engine.judgeCall({ caller }, { hookInput }))
    engine.close()
    process.stdout.write(JSON.stringify(output))
    return 0
  } catch {
    process.stderr.write('Plexus could not be asked about this call, so it is refused.\n')
    return REFUSED
  }
}

/** A hub may be about to start again. A call that was judged twice is on record twice, and does no harm. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + PATIENCE_MS; ;) {
    try {
      return await ask()
    } catch (error) {
      if (!isAway(error) || performance.now() > until) throw error
      await setTimeout(RETRY_MS)
    }
  }
}

/** No hub answers, or it went away. */
function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'busy'
}

const Config = z.object({
  mcpServers: z.object({
    plexus: z.object({ env: z.object({ [RELAY_TOKEN]: z.string(), [SESSION_MARK]: z.string() }) }),
  }),
})

const REFUSED = 2
const PATIENCE_MS = 20_000
const RETRY_MS = 250
