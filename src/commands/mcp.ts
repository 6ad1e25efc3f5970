import { INVALID_ASK, isAsk } from '../base/ask-setting.ts'
import { isClientName } from '../callers/client-name.ts'
import type { Env } from '../assembly/config.ts'
import { AppError } from '../base/errors.ts'
import { JsonLines } from '../transports/mcp/json-lines.ts'
import { McpFront } from '../transports/mcp/opening-answers.ts'
import { TABLE } from '../transports/mcp/tool-table.ts'
import type { McpOptions } from '../assembly/mcp-options.ts'
import type { McpSession } from '../assembly/mcp-session.ts'
import { stopSignal } from './stop-signal.ts'

const END_MS = 800
/** To end processes takes longer than to let go of them. */
const END_CHILDREN_MS = 7_000

/**
 * MCP on stdin and stdout, until one of them is closed. What is loaded here is little, because clients wait for the first
 * answers; all the rest comes with the first message that needs it.
 */
export async function mcp(env: Env, flags: Readonly<Record<string, unknown>>): Promise<never> {
  const options = optionsFrom(flags)
  const front = new McpFront(TABLE, options.toolset)
  const opening: unknown[] = []
  let session: Promise<McpSession> | undefined
  const broken = new AbortController()
  const begin = async () => {
    const { beginMcpSession } = await import('../assembly/mcp-session.ts')
    return beginMcpSession(options, env, { opening, send: (message) => lines.send(message) })
  }
  const lines = new JsonLines(process.stdin, process.stdout, (message) => {
    const known = session ? undefined : front.answer(message)
    if (known?.opening) opening.push(message)
    if (known?.answer) void lines.send(known.answer)
    if (known) return
    session ??= begin()
    session.then(({ take }) => take(message), broken.abort.bind(broken))
  })
  await Promise.race([lines.closed, stopSignal(), reasonOf(broken.signal)]).catch((error: unknown) => {
    process.stdin.destroy()
    throw error
  })
  // Whoever reads our answers has gone; sessions live on.
  setTimeout(() => process.exit(0), options.endChildren ? END_CHILDREN_MS : END_MS)
  await (await session)?.close()
  process.exit(0)
}

/** Rejects when the rest could not be loaded: the program was replaced while it ran. Whoever needs it starts it again. */
function reasonOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      const sentence =
        'The rest of Plexus could not be loaded, perhaps because it was updated; start it again.'
      reject(new AppError('busy', sentence, { cause: signal.reason }))
    })
  })
}

function optionsFrom(flags: Readonly<Record<string, unknown>>): McpOptions {
  const { tools = 'claude', as, ask, home } = flags
  if (tools !== 'claude' && tools !== 'plexus' && tools !== 'all')
    throw new AppError('invalid_input', '--tools must be claude, plexus or all.')
  if (as !== undefined && (typeof as !== 'string' || !isClientName(as)))
    throw new AppError(
      'invalid_input',
      '--as must be a name of at most 64 letters, digits, dots, dashes and underscores that begins with a letter or digit, and neither a UUID nor operator, owner, person or session.',
    )
  const standalone = flags['standalone'] === true
  if (flags['end-children'] === true && !standalone)
    throw new AppError(
      'invalid_input',
      '--end-children goes with --standalone, for another hub is not ended by this; add --standalone, or leave it out.',
    )
  if (ask !== undefined && !isAsk(ask)) throw new AppError('invalid_input', `--${INVALID_ASK}`)
  return {
    toolset: tools,
    as,
    ask,
    home: typeof home === 'string' ? home : undefined,
    standalone,
    endChildren: flags['end-children'] === true,
    allowBypass: flags['allow-bypass'] === true,
  }
}
