import { z } from 'zod'
import type { SessionKey } from '../../base/ids.ts'
import { MAX_WAIT_SECONDS } from '../../base/limits.ts'
import type { Ask } from '../../base/ask-setting.ts'
import type { Asking, Engine, CallContext } from '../../engine/engine.ts'
import type { AppError } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { CallMemory } from './caller-memory.ts'
import { listedSchema, withoutNulls } from './listed-schema.ts'

/** What an operation runs with: the engine, local or remote, and the caller. */
export interface Context {
  readonly engine: Engine & Partial<Asking>
  readonly call: CallContext
  /** The folder of the caller: the default for new sessions. */
  readonly workingDirectory?: string | undefined
  /** Returns a sentence for a caller that starts a session, the first time only. */
  readonly notice?: (() => string | undefined) | undefined
  /** The setting of the connection: whom questions are put to. */
  readonly ask?: Ask | undefined
  /** What the caller knows from earlier calls; absent if nothing is kept between calls. */
  readonly memory?: CallMemory | undefined
  /** How long the caller has already waited, if the call is repeated. */
  readonly waitedMs?: number | undefined
  /** Aborts when the caller has disconnected or cancelled the call. */
  readonly gone?: AbortSignal | undefined
  /** Aborts when the hub is about to end. */
  readonly closing?: AbortSignal | undefined
  /** Called with events before the result, if the caller asked for them. */
  readonly notify?: ((happened: Happened) => Promise<void>) | undefined
}

interface Happened {
  /** The event in words, if it is for a reader. */
  readonly text?: string | undefined
  readonly event: object
}

/**
 * One operation of the API, in the names of one of the families: a tool of MCP, a method of JSON-RPC. It translates, and has no
 * state. Input is validated here and nowhere else, so that its errors are the same everywhere.
 */
export interface Operation {
  /** As a method of JSON-RPC; as a tool its dots are underscores. */
  readonly name: string
  readonly title: string
  /** For a model that has never seen this server: when to call it, what comes back, what to do next. */
  readonly description: string
  /** The input as clients see it. */
  readonly listed: z.ZodType
  /** Absent if the result has no fixed shape. */
  readonly output?: z.ZodType | undefined
  readonly hints: Hints
  /** Its result names a new session to the caller for the first time, so no other result may replace it. */
  readonly begins: boolean
  /** Whether a call may take long, so that the client needs progress messages. */
  readonly waits: boolean
  /** Whether `again` begins nothing a second time, so that a call whose answer was lost can be repeated. */
  readonly isRepeatable: boolean
  /** Makes a result of an error; absent if errors stay errors. */
  readonly failed?: ((error: Pick<AppError, 'code' | 'message' | 'data'>) => object) | undefined
  call(context: Context, given: unknown): Promise<object>
  /**
   * Repeats a call, after a question was answered in the middle of it, or its hub has ended. A call that begins
   * something must not begin it twice: it continues with the session, and the prompt, that it has begun.
   */
  again(
    context: Context,
    given: unknown,
    sessionId: SessionKey | undefined,
    promptId?: string,
  ): Promise<object>
}

/** What a client may show its user about a tool, in the names of MCP. */
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
  /** Shown instead of `input`, if more is accepted than clients should see. */
  readonly listed?: z.ZodType
  readonly output?: Out
  readonly hints?: Partial<Hints>
  readonly waits?: boolean
  readonly begins?: boolean
  readonly run: (context: Context, input: z.output<In>) => Promise<z.input<Out> & object>
  /** Needed unless the operation only reads. */
  readonly runAgain?: (
    context: Context,
    input: z.output<In>,
    sessionId: SessionKey | undefined,
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
  const parsed = (given: unknown) => parseInput(input, withoutNulls(listedSchema(listed), given ?? {}))
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
    isRepeatable: runAgain !== undefined || hints?.readOnlyHint === true,
    call: async (context, given) => run(context, parsed(given)),
    again: async (context, given, sessionId, promptId) =>
      (runAgain ?? run)(context, parsed(given), sessionId, promptId),
  }
}

export function toolNameOf({ name }: Operation): string {
  return name.replaceAll('.', '_')
}

/** The schema of a field for how long a call may wait. */
export function waiting(field: string, description: string) {
  const sentence = `${field} must be a number of seconds from 0 to ${MAX_WAIT_SECONDS}.`
  return z.number(sentence).min(0, sentence).max(MAX_WAIT_SECONDS, sentence).describe(description)
}
