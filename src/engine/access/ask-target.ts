import type { Ask } from '../../base/ask-setting.ts'
import { AppError } from '../../base/errors.ts'

/** A session, as far as it says whom its questions are put to. */
export interface SessionAsk {
  readonly ask?: Ask | undefined
  readonly answerers?: 'anyone' | 'person' | undefined
}

/** A connection, as far as it matters for that. */
export interface Connected {
  /** As whoever configured the connection wants it. */
  readonly ask?: Ask | undefined
  /** The client is one of those at which a person sits. */
  readonly hasPerson: boolean
  /** The client says that it takes forms. */
  readonly takesForms: boolean
  /** It has declined one without showing it to anybody. */
  readonly formsOff: boolean
}

export interface Asked {
  /** Whether the question is put to the person by a form. */
  readonly form: boolean
  /** When the model has the question for its own: at once, when the form has been left, or not at all. */
  readonly model: 'at once' | 'after the form' | 'waits for a person'
}

/**
 * Who is asked. Pure, and the one place for it. What the session wants comes before what the connection wants, and that
 * before the usual: the person first where one is known to sit, else the model. No form is sent where nobody would read it.
 */
export function whoIsAsked(session: SessionAsk, connection: Connected): Asked {
  const ask = wantedAsk(session, connection.ask) ?? (isPersonKnown(connection) ? 'both' : 'model')
  const form = ask !== 'model' && canPutForms(connection)
  if (ask === 'person') return { form, model: 'waits for a person' }
  return { form, model: form ? 'after the form' : 'at once' }
}

/** Whether any form can be put there: one that nobody is known to read is none. */
export function canPutForms(connection: Connected): boolean {
  return isPersonKnown(connection) && connection.takesForms && !connection.formsOff
}

/** Also where whoever configured the connection says so. What a session wants brings nobody there. */
export function isPersonKnown({ ask, hasPerson }: Pick<Connected, 'ask' | 'hasPerson'>): boolean {
  return hasPerson || ask === 'person' || ask === 'both'
}

/** Whom the session, or else its connection, wants asked; undefined for the usual. Where only a person may answer, that one. */
export function wantedAsk({ ask, answerers }: SessionAsk, ofConnection?: Ask): Ask | undefined {
  return answerers === 'person' ? 'person' : (ask ?? ofConnection)
}

/** Where a person can answer, for whoever has to send one there. */
export const WHERE_A_PERSON_ANSWERS =
  "by a form at a client with a person (Claude Code in a terminal, plexus mcp --ask person, /mcp?ask=person), or with the operator's token at POST /rpc"

/** A model is not asked for what it may not answer. */
export function requireAskable({ ask, answerers }: SessionAsk): void {
  if (answerers !== 'person' || ask === undefined || ask === 'person') return
  throw new AppError(
    'invalid_input',
    `ask cannot be ${ask} where answerers is person, for no model may answer there; leave ask out, or leave answerers out.`,
    { data: { field: 'ask' } },
  )
}
