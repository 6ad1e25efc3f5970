import type { z } from 'zod'
import { AppError } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import type { CallContext, Engine } from './engine.ts'
import { DEVICE_INPUTS } from './inputs/device-inputs.ts'
import { EVENT_INPUTS } from './inputs/event-inputs.ts'
import { OUTSIDE_INPUTS } from './inputs/outside-inputs.ts'
import { QUESTION_INPUTS } from './inputs/question-inputs.ts'
import { RECORD_INPUTS } from './inputs/record-inputs.ts'
import { RULE_INPUTS } from './inputs/rule-inputs.ts'
import { SESSION_INPUTS } from './inputs/session-inputs.ts'
import { SPENDING_INPUTS } from './inputs/spending-inputs.ts'

/** Every verb but `followEvents` and `followAll`, which are streams and have their own route. */
export type VerbName = Exclude<keyof Engine, 'followEvents' | 'followAll'>

/** The input schema of each verb, as it comes over a wire. */
export const VERB_INPUTS = {
  ...SESSION_INPUTS,
  ...EVENT_INPUTS,
  ...QUESTION_INPUTS,
  ...RULE_INPUTS,
  ...SPENDING_INPUTS,
  ...OUTSIDE_INPUTS,
  ...RECORD_INPUTS,
  ...DEVICE_INPUTS,
} satisfies { [Name in VerbName]: z.ZodType<Parameters<Engine[Name]>[1]> }

/** Calls a verb by its name with unparsed input. */
export async function callVerb(
  engine: Engine,
  call: CallContext,
  method: string,
  input: unknown,
): Promise<unknown> {
  if (!isVerb(method)) throw new UnknownVerb(method)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of the table says that a verb takes what its schema returns
  const verbs = engine as unknown as Record<VerbName, (call: CallContext, input: unknown) => Promise<unknown>>
  return verbs[method](call, parseInput(VERB_INPUTS[method], input))
}

export function isVerb(method: string): method is VerbName {
  return Object.hasOwn(VERB_INPUTS, method)
}

/** A class of its own, because JSON-RPC has one code for an unknown method and another for invalid params. */
export class UnknownVerb extends AppError {
  constructor(method: string) {
    const known = Object.keys(VERB_INPUTS).join(', ')
    super('invalid_input', `There is no method ${JSON.stringify(method.slice(0, 100))}; there are ${known}.`)
    this.name = 'UnknownVerb'
  }
}
