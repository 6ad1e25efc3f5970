import { canPutForms } from '../../engine/access/ask-target.ts'
import { hasPerson, type Seat } from './known-person.ts'

/** True if the declared capability includes forms. A capability without a mode means forms: they were the only mode at first. */
export function takesForms(elicitation: unknown): boolean {
  if (typeof elicitation !== 'object' || elicitation === null) return false
  return 'form' in elicitation || !('url' in elicitation)
}

/** Stands for the name of a client that gives none. */
export const NAMELESS = 'a client'

/** The client of a connection, as far as forms need it. */
export interface FormClient {
  readonly name: string
  /** Its `elicitation` capability. */
  readonly elicitation: unknown
}

/** True if a form can be put to a person at this connection now. */
export function mayPutForms({ name, elicitation }: FormClient, seat: Seat): boolean {
  const { ask, forms } = seat
  return canPutForms({
    ask,
    hasPerson: hasPerson(seat, name),
    takesForms: takesForms(elicitation),
    formsOff: forms.isOff,
  })
}
