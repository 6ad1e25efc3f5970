import { z } from 'zod'
import { MAX_WAIT_SECONDS } from '../../base/limits.ts'
import type { Ask } from '../../base/ask-setting.ts'
import type { Asking, Engine, CallContext } from '../../engine/engine.ts'
import type { AppError } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { CallMemory } from './caller-memory.ts'
import { listedSchema, withoutNulls } from './listed-schema.ts'

/** What an operation is done with: the engine, near or far, and who asks. */
export interface Context {
  readonly engine: Engine & Partial<Asking>
  readonly who: CallContext
  /** Where the caller is: a session that names no folder works there. */
  readonly workingDirectory?: string | undefined
  /** What there is to say once, to who starts something; then nothing more. */
  readonly notice?: (() => string | undefined) | undefined
  /** Whom their connection wants asked; absent where it does not say. */
  readonly ask?: Ask | undefined
  /** What the caller knows from earlier calls; absent where nothing is kept between two calls. */
  readonly memory?: CallMemory | undefined
  /** How long the caller has waited already, where the same call is made once more. */
  readonly waitedMs?: number | undefined
  /** The caller has gone away, or does not want to know any more. */
  readonly gone?: AbortSignal | undefined
  /** We are about to go. */
  readonly closing?: AbortSignal | undefined
  /** Called with what happens before the result is there, where the caller wants that. */
  readonly notify?: ((happened: Happened) => Promise<void>) | undefined
}

interface Happened {
  /** In words, if it is for reading. */
  readonly text?: string | undefined
  readonly event: object
}

/**
 * One thing that a caller can ask for, in the words of one of the API families: a tool of MCP, a method of JSON-RPC. It
 * translates, and owns nothing. Input is checked here and nowhere else, so that what is wrong is told alike everywhere.
 */
export interface Operation {
  /** As a method of JSON-RPC; as a tool its dots are underscores. */
  readonly name: string
  readonly title: string
  /** For a model that has never seen this server: when to call it, what comes back, what to do next. */
  readonly description: string
  /** What a client is shown of what is taken. */
  readonly listed: z.ZodType
  /** Absent where the answer is a text and not an object with a shape. */
  readonly output?: z.ZodType | undefined
  readonly hints: Hints
  /** Its result is the first that the caller hears of a session, so nothing else is answered in its place. */
  readonly begins: boolean
  /** Whether this call may take a while, so that it should be told to be alive. */
  readonly waits: boolean
  /** Whether `again` begins nothing a second time, so that an answer that was lost can be asked for again. */
  readonly goesOn: boolean
  /** An error as a result; absent where an error is an error. */
  readonly failed?: ((error: Pick<AppError, 'code' | 'message' | 'data'>) => object) | undefined
  call(context: Context, given: unknown): Promise<object>
  /**
   * The same call once more, when a question has been answered in the middle of it, or its hub has ended. What begins
   * something must not begin it twice: it continues with the session, and the prompt, that it has begun.
   */
  again(context: Context, given: unknown, sessionId: string | undefined, promptId?: string): Promise<object>
}

/** What a client may tell its user of a tool, in the words of MCP. */
interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

interface Definition<In extends z.ZodType, Out extends z.ZodType> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: In
  /** In place of the input, where more is taken than a client should be shown. */
  readonly listed?: z.ZodType
  readonly output?: Out
  readonly hints?: Partial<Hints>
  readonly waits?: boolean
  readonly begins?: boolean
  readonly run: (context: Context, input: z.output<In>) => Promise<z.input<Out> & object>
  /** Needed by who does not only look. */
  readonly runAgain?: (
    context: Context,
    input: z.output<In>,
    sessionId: string | undefined,
    promptId: string | undefined,
  ) => Promise<z.input<Out> & object>
}

export function defineOperation<In extends z.ZodType, Out extends z.ZodType>({
  run,
  runAgain,
  hints,
  waits = false,
  begins = false,
  input,
  listed = input,
  ...rest
}: Definition<In, Out>): Operation {
  const taken = (given: unknown) => parseInput(input, withoutNulls(listedSchema(listed), given ?? {}))
  return {
    ...rest,
    listed,
    hints: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
      ...hints,
    },
    waits,
    begins,
    goesOn: runAgain !== undefined || hints?.readOnlyHint === true,
    call: async (context, given) => run(context, taken(given)),
    again: async (context, given, sessionId, promptId) =>
      (runAgain ?? run)(context, taken(given), sessionId, promptId),
  }
}

export function toolNameOf({ name }: Operation): string {
  return name.replaceAll('.', '_')
}

/** The schema of a field that says how long a call may wait. */
export function waiting(field: string, description: string) {
  const sentence = `${field} must be a number of seconds from 0 to ${MAX_WAIT_SECONDS}.`
  return z.number(sentence).min(0, sentence).max(MAX_WAIT_SECONDS, sentence).describe(description)
}
