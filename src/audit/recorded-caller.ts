import type { Caller } from '../callers/access-rules.ts'
import { definedFields } from '../base/defined-fields.ts'

/** The caller of a decision or of a read, as the record has it. Its name stands beside it. */
export interface RecordedCaller {
  readonly kind: Caller['kind']
  readonly id: string
  /** Whether a person acts by it, as far as the program says from which it came. */
  readonly person: boolean
  /** How the hub knows: the token that came with the call. */
  readonly proof: string
  /** Where a form was filled in. */
  readonly client?: string | undefined
}

export function recordedCaller({ kind, id, person, formClient }: Caller): RecordedCaller {
  return { kind, id, person, proof: `${kind} token`, ...definedFields({ client: formClient }) }
}
