import { z } from 'zod'
import type { CreateSession, CallContext } from '../../engine/engine.ts'
import { AppError } from '../../base/errors.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { Context } from '../operation/operation.ts'
import { keysLike, snake, snakeKeys } from '../operation/snake-case.ts'
import { BESIDE, createFrom, START_SHAPE } from '../operation/start-input.ts'

const { permissionMode, timeoutSeconds, workingDirectory } = START_SHAPE

/** All that a session can be created with, in the spelling of this family. */
export const CREATE_SHAPE = {
  ...snakeKeys(START_SHAPE),
  permission_mode: permissionMode
    .unwrap()
    .optional()
    .describe(
      'What the session may do without asking: default, acceptEdits, plan or dontAsk. default with loopback_enabled, else dontAsk.',
    ),
  working_dir: workingDirectory.describe('The folder that the session works in, as a full path.'),
  resume: z
    .uuid('resume must be the id of a conversation, a UUID.')
    .optional()
    .describe('Go on with this conversation that Claude Code has, one that somebody had in a terminal too.'),
  loopback_enabled: z
    .boolean('loopback_enabled must be true or false.')
    .default(false)
    .describe(
      'true: what the session may not do unasked it asks you for, see pending_approvals of claudecode.poll. false: nobody is asked, and what would be asked is refused, as in a plain claude -p; what it may use can be named in allowed_tools.',
    ),
  loopback_timeout_secs: timeoutSeconds.describe(
    'How long a question waits before silence is a no; 0 is for ever. 300 if left out.',
  ),
}

/** Which of them are listed beside `options`; what has a name of its own in this family is listed by that. */
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

/** What the engine is to create. */
export function createWish(context: Context, input: CreateInput): CreateSession {
  const { loopback_enabled: asks, working_dir, loopback_timeout_secs } = input
  const permission_mode =
    input.permission_mode ?? (asks || input.dangerously_skip_permissions ? 'default' : 'dontAsk')
  if (!asks && !isSilent(permission_mode, input))
    throw new AppError(
      'invalid_input',
      'This session would ask, and without loopback_enabled nobody is asked: set loopback_enabled to true, or leave out permission_mode and supervise.',
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

/** A program asks here, whoever has the token: its questions do not wait for ever unless it says so. */
export function asProgram(who: CallContext): CallContext {
  return { ...who, caller: { ...who.caller, person: false } }
}
