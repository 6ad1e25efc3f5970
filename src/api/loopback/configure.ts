import { z } from 'zod'
import type { PermitConfig } from '../../engine/engine.ts'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import { asProgram, CREATE_PLACES, CREATE_SHAPE, createWish } from '../claudecode/create-input.ts'
import { selector } from '../../base/input-fields.ts'
import { type Context } from '../operation/operation.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { definePlexusOperation } from '../operation/plexus-operation.ts'
import { movedHint, withOptions } from '../operation/options-field.ts'

const SHAPE = {
  session_id: selector(
    'session_id',
    'A session that was made for this before (its name will do too).',
  ).optional(),
  ...CREATE_SHAPE,
}
type Input = z.output<z.ZodObject<typeof SHAPE>>

export const configure = definePlexusOperation({
  name: 'loopback.configure',
  title: 'Let a claude that somebody else starts ask here',
  description:
    'For a claude command that you or somebody else starts: returns what it needs so that its questions are asked here, as those of a session (a new one unless one is named). command is ready for a shell, with more arguments at its end. mcp_config holds a token: keep it in a private file. What an earlier call returned for the same session is worth nothing any more.',
  ...withOptions(SHAPE, { ...CREATE_PLACES, beside: ['session_id', ...CREATE_PLACES.beside] }),
  output: z.looseObject({
    type: z.literal('ok'),
    session_id: z.string(),
    mcp_config: z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) }),
    args: z.array(z.string()),
    env: z.record(z.string(), z.string()),
    command: z.string(),
  }),
  run: async (context, { moved, ...input }) => {
    const { engine, who } = context
    const { id } = (await existing(context, input)) ?? (await created(context, input))
    const config = await engine.permitConfig(who, { sessionId: id })
    const env = { ...config.env, ...WAITS_FOR_SERVERS }
    return {
      type: 'ok' as const,
      session_id: id,
      mcp_config: config.mcpConfig,
      args: [...config.args],
      env,
      command: commandOf({ ...config, env }),
      ...definedFields({ hint: movedHint(moved) }),
    }
  },
})

async function existing({ engine, who }: Context, { session_id, name }: Input): Promise<Session | undefined> {
  if (session_id !== undefined) return engine.getSession(who, { sessionId: session_id })
  if (name === undefined) return undefined
  return engine.getSession(who, { sessionId: name }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })
}

function created(context: Context, input: Input): Promise<Session> {
  const wish = createWish(context, { ...input, loopback_enabled: true, carrier: 'mcp' })
  return context.engine.createSession(asProgram(context.who), wish)
}

/** A claude that begins before it is connected with us ends at its first question. */
const WAITS_FOR_SERVERS = { MCP_CONNECTION_NONBLOCKING: '0' }

/** The token goes into a private file, not onto a command line, which everybody can read; the file goes with the command. */
function commandOf({ mcpConfig, args, env }: PermitConfig): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`)
  const words = [...variables, 'claude', '--mcp-config="$plexus"', ...args.map(quoted)]
  const write = `plexus=$(mktemp) && printf %s ${quoted(JSON.stringify(mcpConfig))} > "$plexus"`
  return `${write} && trap 'rm -f "$plexus"' EXIT && ${words.join(' ')}`
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
