import { z } from 'zod'
import { Answer } from '../../approvals/answer.ts'
import { AppError } from '../../base/errors.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { selector } from '../../base/input-fields.ts'
import { defineOperation, type Operation } from './operation.ts'
import { snake } from './snake-case.ts'
import { START_SHAPE } from './start-input.ts'

/** An operation of the second family: its errors are results too. */
export function definePlexusOperation<In extends z.ZodType, Out extends z.ZodType>(
  definition: Parameters<typeof defineOperation<In, Out>>[0],
): Operation {
  return { ...defineOperation(definition), failed }
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
  const said = field === undefined ? undefined : field.split('.').map(nameHere).join('.')
  return {
    type: 'error',
    code,
    // About no field: it already has the names that the caller gave.
    message: field === '' ? message : inNamesHere(message, said),
    ...definedFields({
      field: said || undefined,
      approval_id: approval?.id,
      decision: approval?.status,
      by: approval?.by,
      via: approval?.via,
    }),
  }
}

/** The names in error sentences of the engine: those of the first family. */
const KNOWN = [...Object.keys(START_SHAPE), ...Object.keys(Answer.shape), 'approvalId', 'sessionId', 'nodeId']
const NAMES = new RegExp(`\\b(${KNOWN.filter((name) => snake(name) !== name).join('|')})\\b`, 'g')

/** Some fields have another name in this family, besides their snake_case name. */
const OWN: Readonly<Record<string, string>> = {
  workingDirectory: 'working_dir',
  timeoutSeconds: 'loopback_timeout_secs',
}

function nameHere(name: string): string {
  return KNOWN.includes(name) ? (OWN[name] ?? snake(name)) : name
}

/** Also drops the field's name before a sentence that begins with it. */
function inNamesHere(message: string, said: string | undefined): string {
  return message
    .replaceAll(NAMES, (name) => nameFor(name, said))
    .replace(/^((?:options\.)?(\w+)): \2\b/, '$1')
}

/** The name that the caller used, if it gave the field. */
function nameFor(name: string, said: string | undefined): string {
  return said?.split('.').includes(snake(name)) ? snake(name) : nameHere(name)
}

/** The fields that name a session in this family. */
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
