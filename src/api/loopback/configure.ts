import { z } from 'zod'
import type { PermitConfig } from '../../sessions/launch/outside-command.ts'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import { asProgram, CREATE_PLACES, CREATE_SHAPE, createSessionInput } from '../claudecode/create-input.ts'
import { selector } from '../../base/input-fields.ts'
import { type Context } from '../operation/operation.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { definePlexusOperation } from '../operation/plexus-operation.ts'
import { movedHint, withOptions } from '../operation/options-field.ts'

const SHAPE = {
  session_id: selector(
    'session_id',
    'A session that an earlier call created (its name works too).',
  ).optional(),
  ...CREATE_SHAPE,
}
type Input = z.output<z.ZodObject<typeof SHAPE>>

export const configure = definePlexusOperation({
  name: 'loopback.configure',
  title: 'Let a claude started elsewhere ask here',
  description:
    'For a claude command that is started outside Plexus: returns what it needs so that its questions are asked here, as questions of a session (a new session unless you name one). command is ready for a shell; more arguments can follow it. mcp_config holds a token: keep it in a private file. What an earlier call returned for the same session stops working.',
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
    const { engine, call } = context
    const { id } = (await findExisting(context, input)) ?? (await createOutsideSession(context, input))
    const config = await engine.permitConfig(call, { sessionId: id })
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

async function findExisting(
  { engine, call }: Context,
  { session_id, name }: Input,
): Promise<Session | undefined> {
  if (session_id !== undefined) return engine.getSession(call, { sessionId: session_id })
  if (name === undefined) return undefined
  return engine.getSession(call, { sessionId: name }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })
}

function createOutsideSession(context: Context, input: Input): Promise<Session> {
  const create = createSessionInput(context, { ...input, loopback_enabled: true, carrier: 'mcp' })
  return context.engine.createSession(asProgram(context.call), create)
}

/** A claude that starts before it is connected to the relay ends at its first question. */
const WAITS_FOR_SERVERS = { MCP_CONNECTION_NONBLOCKING: '0' }

/** The token goes into a private file, because every user can read a command line; the file is removed with the command. */
function commandOf({ mcpConfig, args, env }: PermitConfig): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellQuoted(value)}`)
  const words = [...variables, 'claude', '--mcp-config="$plexus"', ...args.map(shellQuoted)]
  const write = `plexus=$(mktemp) && printf %s ${shellQuoted(JSON.stringify(mcpConfig))} > "$plexus"`
  return `${write} && trap 'rm -f "$plexus"' EXIT && ${words.join(' ')}`
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
