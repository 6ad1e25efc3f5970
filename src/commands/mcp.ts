import type { McpClient } from '../assembly/mcp-client.ts'
import type { McpOptions } from '../assembly/mcp-options.ts'
import type { McpSession } from '../assembly/mcp-session.ts'
import type { Env } from '../assembly/config.ts'
import { CallerMemory } from '../api/operation/caller-memory.ts'
import { INVALID_ASK, isAsk } from '../base/ask-setting.ts'
import { AppError } from '../base/errors.ts'
import { INVALID_CLIENT_NAME, isClientName } from '../callers/client-name.ts'
import { JsonLines } from '../transports/mcp/json-lines.ts'
import { InitializeAnswers } from '../transports/mcp/initialize-answers.ts'
import { PlainToolCalls } from '../transports/mcp/plain-tool-calls.ts'
import { TABLE, traitsOf } from '../transports/mcp/tool-table.ts'
import { mayPutForms } from '../transports/person/form-capability.ts'
import { FormSwitch, isTerminalEntry } from '../transports/person/known-person.ts'
import { stopSignal } from './shutdown-signal.ts'

const END_MS = 800
/** Ending child processes takes longer than leaving them running. */
const END_CHILDREN_MS = 7_000
/** Clients give up on a call that is silent for longer: some after one minute. */
const PROGRESS_MS = 15_000

/**
 * MCP on stdin and stdout, until one of them is closed. Little is imported here, because clients wait for the first answers:
 * the client of the hub is loaded with the first tool call, and the full server with the first message that needs it.
 */
export async function mcp(env: Env, flags: Readonly<Record<string, unknown>>): Promise<never> {
  const options = optionsFrom(flags)
  const front = new InitializeAnswers(TABLE, options.toolset)
  const memory = new CallerMemory()
  const seat = {
    ask: options.ask,
    isTerminal: isTerminalEntry(env['CLAUDE_CODE_ENTRYPOINT']),
    forms: new FormSwitch(),
  }
  const opening: unknown[] = []
  const broken = new AbortController()
  /** If a part cannot be loaded, no further message is answered: the process ends. */
  const loaded = <T>(part: Promise<T>): Promise<T> =>
    part.catch((error: unknown) => {
      broken.abort(error)
      return new Promise<never>(() => {})
    })
  let loadedClient: Promise<McpClient> | undefined
  const client = () =>
    (loadedClient ??= loaded(import('../assembly/mcp-client.ts')).then(({ createMcpClient }) =>
      createMcpClient(options, env, (tool) => traitsOf(TABLE, tool)),
    ))
  let session: Promise<McpSession> | undefined
  const begin = async () => {
    const { beginMcpSession } = await loaded(import('../assembly/mcp-session.ts'))
    const parts = { toolset: options.toolset, seat, memory, progressMs: PROGRESS_MS, opening }
    return beginMcpSession({ ...parts, client: await client(), send: (message) => lines.send(message) })
  }
  const plain = new PlainToolCalls({
    tools: new Map(front.tools.map(({ name }) => [name, traitsOf(TABLE, name)])),
    memory,
    progressMs: PROGRESS_MS,
    call: async (call, made) => (await client()).call(call, made),
    failed: async (tool, error) => {
      const { failedCall } = await loaded(import('../transports/operation/failed-call.ts'))
      return failedCall(tool, error, (await client()).log)
    },
    send: (message) => lines.send(message),
    sendText: (json) => lines.sendText(json),
  })
  const lines = new JsonLines(process.stdin, process.stdout, (message) => {
    const known = session ? undefined : front.answer(message)
    if (known?.opening) opening.push(message)
    if (known?.answer) void lines.send(known.answer)
    if (known || plain.take(message, front.client !== undefined && !mayPutForms(front.client, seat))) return
    session ??= begin()
    void session.then(({ take }) => take(message))
  })
  await Promise.race([lines.closed, stopSignal(), reasonOf(broken.signal)]).catch((error: unknown) => {
    process.stdin.destroy()
    throw error
  })
  // The client has gone; sessions keep running.
  setTimeout(() => process.exit(0), options.endChildren ? END_CHILDREN_MS : END_MS)
  const begun = await session
  begun?.close()
  await (await loadedClient)?.close()
  process.exit(0)
}

/** Rejects when a part could not be loaded, because the program was replaced while it ran. The client starts it again. */
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
    throw new AppError('invalid_input', `--as ${INVALID_CLIENT_NAME}`)
  const standalone = flags['standalone'] === true
  if (flags['end-children'] === true && !standalone)
    throw new AppError(
      'invalid_input',
      '--end-children needs --standalone, because it does not end another hub; add --standalone, or omit --end-children.',
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
