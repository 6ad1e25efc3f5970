import { z } from 'zod'
import { AppError } from '../errors.ts'
import { present } from '../present.ts'
import { selector } from '../input-fields.ts'
import { defineOperation, type Operation } from './operation.ts'
import { snake } from './snake-case.ts'
import { START_SHAPE } from './start-input.ts'

/** An operation of the second family: what goes wrong is a result too, and null is as good as left out. */
export function definePlexusOperation<In extends z.ZodType, Out extends z.ZodType>(
  definition: Parameters<typeof defineOperation<In, Out>>[0],
): Operation {
  const operation = defineOperation(definition)
  return {
    ...operation,
    failed,
    call: (context, given) => operation.call(context, withoutNulls(given)),
    again: (context, given, sessionId) => operation.again(context, withoutNulls(given), sessionId),
  }
}

const Settled = z.object({
  approval: z.object({
    id: z.string(),
    status: z.string(),
    by: z.string().optional(),
    via: z.string().optional(),
  }),
})

function failed({ code, message, data }: Pick<AppError, 'code' | 'message' | 'data'>): object {
  const { approval } = Settled.safeParse(data).data ?? {}
  const { field } = z.object({ field: z.string() }).safeParse(data).data ?? {}
  return {
    type: 'error',
    code,
    // About no field: what it names is what was given.
    message: field === '' ? message : message.replaceAll(OPTION_NAMES, snake),
    ...present({
      field: field || undefined,
      approval_id: approval?.id,
      decision: approval?.status,
      by: approval?.by,
      via: approval?.via,
    }),
  }
}

/** The options of a start, as the sentences of the first family name them. */
const OPTION_NAMES = new RegExp(
  `\\b(${Object.keys(START_SHAPE)
    .filter((name) => snake(name) !== name)
    .join('|')})\\b`,
  'g',
)

/** How a session is named in this family. */
export const ONE_SESSION = {
  session_id: selector('session_id', 'The id of the session (its name will do too).').optional(),
  name: selector('name', 'The name of the session, in place of session_id.').optional(),
}

export function sessionNamed(input: { session_id?: string | undefined; name?: string | undefined }): string {
  const named = input.session_id ?? input.name
  if (named === undefined)
    throw new AppError('invalid_input', 'Say which session: session_id, or its name.', {
      data: { field: 'session_id' },
    })
  return named
}

function withoutNulls(given: unknown): unknown {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? present(given) : given
}
