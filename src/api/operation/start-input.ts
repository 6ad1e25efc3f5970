import { resolve } from 'node:path'
import { z } from 'zod'
import { INVALID_ASK, ASKS } from '../../base/ask-setting.ts'
import { StartOptions } from '../../child/launch/start-options.ts'
import type { CreateSession } from '../../engine/create-session.ts'
import { promptContent } from '../../engine/inputs/prompt-content.ts'
import { Command } from '../../events/session-event.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Context } from './operation.ts'

const MAX_TIMEOUT_SECONDS = 2_147_483 // what a timer can hold

/** The schema of a prompt, in both families. */
export function prompt(field: 'prompt' | 'message', what: string) {
  return promptContent(field).describe(
    `${what}: text, or blocks with images. Nothing in it is a file mention or a command.`,
  )
}

/** Instead of a prompt, in both families. */
export const CommandName = Command.describe(
  'Instead of text: compact sums up the conversation, clear begins a new one.',
)

/** Everything that can be set when a session is created, in both families: how it runs, and who answers its questions. */
export const START_SHAPE = {
  ...StartOptions.shape,
  timeoutSeconds: z
    .number('timeoutSeconds must be a number of seconds.')
    .min(0, 'timeoutSeconds may not be negative; 0 means no limit.')
    .max(MAX_TIMEOUT_SECONDS, `timeoutSeconds may be at most ${MAX_TIMEOUT_SECONDS}; 0 means no limit.`)
    .optional()
    .describe('Seconds until a question expires; 0 means no limit, 300 by default.'),
  answerers: z
    .enum(['anyone', 'person'], 'answerers must be anyone or person.')
    .optional()
    .describe('Who may answer: anyone who is responsible, or only a person.'),
  ask: z
    .enum(ASKS, INVALID_ASK)
    .optional()
    .describe(
      'Who is asked: model (you), person (by a form at your client), both (the person first). By default both if a person is known to be there, else model.',
    ),
}

/** The fields that users set most are listed beside the prompt; the rare fields are in `options`. */
export const BESIDE = [
  'name',
  'workingDirectory',
  'model',
  'permissionMode',
  'supervise',
  'answerers',
  'ask',
  'allowedTools',
  'nested',
] as const

type StartInput = z.output<z.ZodObject<typeof START_SHAPE>>

/** A relative folder is relative to the folder of the caller. */
export function folderFrom({ workingDirectory: here }: Context, folder: string): string {
  return here === undefined ? folder : resolve(here, folder)
}

/** The input for the engine; the default folder is the folder of the caller. */
export function createFrom(context: Context, input: StartInput): CreateSession {
  const { timeoutSeconds, answerers, ask, ...options } = input
  const { workingDirectory: here } = context
  const workingDirectory =
    options.workingDirectory === undefined ? here : folderFrom(context, options.workingDirectory)
  return {
    options: parseInput(StartOptions, { ...options, workingDirectory }),
    answerers,
    ask,
    ...(timeoutSeconds === undefined ? {} : { timeoutMs: Math.round(timeoutSeconds * 1_000) }),
  }
}
