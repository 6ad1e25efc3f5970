import { canPutForms } from '../../engine/access/ask-target.ts'
import { hasPerson, type Seat } from './known-person.ts'

/** Whether a client takes forms, by the capability that it declares. One that names no way of asking does: that was the only one. */
export function takesForms(elicitation: unknown): boolean {
  if (typeof elicitation !== 'object' || elicitation === null) return false
  return 'form' in elicitation || !('url' in elicitation)
}

/** A client that gives no name. */
export const NAMELESS = 'a client'

/** Where a connection puts forms. */
export interface FormClient {
  readonly name: string
  /** Its capability of that name. */
  readonly elicitation: unknown
}

/** Whether a form can be put to somebody at this connection now. */
export function mayPutForms({ name, elicitation }: FormClient, seat: Seat): boolean {
  const { ask, forms } = seat
  return canPutForms({
    ask,
    hasPerson: hasPerson(seat, name),
    takesForms: takesForms(elicitation),
    formsOff: forms.isOff,
  })
}
