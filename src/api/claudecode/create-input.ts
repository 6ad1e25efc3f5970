import { z } from 'zod'
import type { CreateSession } from '../../engine/create-session.ts'
import type { CallContext } from '../../engine/engine.ts'
import { AppError } from '../../base/errors.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { Context } from '../operation/operation.ts'
import { keysLike, snake, snakeKeys } from '../operation/snake-case.ts'
import { BESIDE, createFrom, START_SHAPE } from '../operation/start-input.ts'

const { permissionMode, timeoutSeconds, workingDirectory } = START_SHAPE

/** All fields of a new session, in the spelling of this family. */
export const CREATE_SHAPE = {
  ...snakeKeys(START_SHAPE),
  permission_mode: permissionMode
    .unwrap()
    .optional()
    .describe(
      'What the session may do without asking: default, acceptEdits, plan or dontAsk. default with loopback_enabled, else dontAsk.',
    ),
  working_dir: workingDirectory.describe('The folder in which the session works, as a full path.'),
  resume: z
    .uuid('resume must be the id of a conversation, a UUID.')
    .brand('SessionId')
    .optional()
    .describe('Resume this conversation of Claude Code, also one from a terminal.'),
  loopback_enabled: z
    .boolean('loopback_enabled must be true or false.')
    .default(false)
    .describe(
      'true: the session asks you before it does what it may not do unasked, see pending_approvals of claudecode.poll. false: nobody is asked, and what would be asked is refused, as in a plain claude -p; allowed_tools names the tools that it may use.',
    ),
  loopback_timeout_secs: timeoutSeconds.describe(
    'After how many seconds a question without an answer is denied; 0 is never. 300 by default.',
  ),
}

/** The fields listed beside `options`. A field with its own name in this family is listed by that name only. */
export const CREATE_PLACES = {
  beside: [
    'name',
    'working_dir',
    'loopback_enabled',
    'loopback_timeout_secs',
    ...BESIDE.map(snake).filter((name) => name !== 'name' && name !== 'working_directory'),
    'resume',
  ],
  otherNames: ['working_directory', 'timeout_seconds'],
}

type CreateInput = z.output<z.ZodObject<typeof CREATE_SHAPE>>

/** The input of this family as the engine takes it. */
export function createSessionInput(context: Context, input: CreateInput): CreateSession {
  const { loopback_enabled: asks, working_dir, loopback_timeout_secs } = input
  const permission_mode =
    input.permission_mode ?? (asks || input.dangerously_skip_permissions ? 'default' : 'dontAsk')
  if (!asks && !isSilent(permission_mode, input))
    throw new AppError(
      'invalid_input',
      'This session would ask, but without loopback_enabled nobody is asked: set loopback_enabled to true, or leave out permission_mode and supervise.',
      { data: { field: 'loopback_enabled' } },
    )
  const camel = keysLike(START_SHAPE, {
    ...input,
    permission_mode,
    working_directory: input.working_directory ?? working_dir,
    timeout_seconds: loopback_timeout_secs ?? input.timeout_seconds,
  })
  return { ...createFrom(context, camel), ...definedFields({ resume: input.resume }) }
}

function isSilent(mode: string, { supervise, dangerously_skip_permissions: skips }: CreateInput): boolean {
  return (skips || ['dontAsk', 'bypassPermissions', 'auto'].includes(mode)) && supervise === 'asked'
}

/** Callers of this family are programs, also with the operator's token: by default their questions time out. */
export function asProgram(call: CallContext): CallContext {
  return { ...call, caller: { ...call.caller, person: false } }
}
