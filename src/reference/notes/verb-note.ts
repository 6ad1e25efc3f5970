import type { ErrorCode } from '../../base/errors.ts'
import type { VerbName } from '../../engine/verbs.ts'

/** What the page says of a verb besides its schema. */
export interface VerbNote {
  readonly does: string
  /** The meaning of every field of the input. */
  readonly fields: Readonly<Record<string, string>>
  readonly returns: string
  /** Errors worth knowing, besides `invalid_input` and `not_found`. */
  readonly errors?: Partial<Record<ErrorCode, string>>
  /** A valid input. */
  readonly example: Readonly<Record<string, unknown>>
}

/** The notes of some verbs. */
export type NotesOf<Name extends VerbName> = Readonly<Record<Name, VerbNote>>

export const SESSION =
  'The name or id of the session; 4 or more characters of the id are enough if no other begins so.'
