import { resolve } from 'node:path'
import { z } from 'zod'
import { INVALID_ASK, ASKS } from '../../base/ask-setting.ts'
import { StartOptions } from '../../child/launch/start-options.ts'
import type { CreateSession } from '../../engine/engine.ts'
import { promptContent } from '../../engine/prompt-content.ts'
import { Command } from '../../events/session-event.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Context } from './operation.ts'

const MOST_TIMEOUT_SECONDS = 2_147_483 // what a timer can hold

/** What a prompt may be, in both families. */
export function prompt(field: 'prompt' | 'message', what: string) {
  return promptContent(field).describe(
    `${what}: text, or blocks with images. Nothing in it is a file mention or a command.`,
  )
}

/** In place of a prompt, in both families. */
export const CommandName = Command.describe(
  'In place of text: compact sums up the conversation, clear begins a new one.',
)

/** All that can be said about a session when it is created, in both families: how it runs, and who answers for it. */
export const START_SHAPE = {
  ...StartOptions.shape,
  timeoutSeconds: z
    .number('timeoutSeconds must be a number of seconds.')
    .min(0, 'timeoutSeconds may not be negative; 0 is for ever.')
    .max(MOST_TIMEOUT_SECONDS, `timeoutSeconds may be at most ${MOST_TIMEOUT_SECONDS}; 0 is for ever.`)
    .optional()
    .describe('After so many seconds silence is a no; 0 is never, 300 if left out.'),
  answerers: z
    .enum(['anyone', 'person'], 'answerers must be anyone or person.')
    .optional()
    .describe('Who may answer its questions: anyone who is responsible, or only a person.'),
  ask: z
    .enum(ASKS, INVALID_ASK)
    .optional()
    .describe(
      'Who is asked: model (you), person (by a form at your client), both (the person first). If left out, both where a person is known to sit, else model.',
    ),
}

/** What users set most is listed beside the prompt; all else is in `options`, where rare fields belong. */
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

/** A folder that is not a full path is meant from where the caller is. */
export function folderFrom({ workingDirectory: here }: Context, folder: string): string {
  return here === undefined ? folder : resolve(here, folder)
}

/** What the engine is to create; without a folder it is where the caller is. */
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
