import type { Ask } from '../../base/ask-setting.ts'
import { AppError } from '../../base/errors.ts'

/** The settings of a session that decide whom its questions are put to. */
export interface SessionAsk {
  readonly ask?: Ask | undefined
  readonly answerers?: 'anyone' | 'person' | undefined
}

/** The facts about a connection that decide it. */
export interface ConnectionAsk {
  /** The setting of the person who configured the connection. */
  readonly ask?: Ask | undefined
  /** A person is known to sit at this client. */
  readonly hasPerson: boolean
  /** The client declares that it supports forms (MCP elicitation). */
  readonly takesForms: boolean
  /** The client has declined a form without showing it to anybody. */
  readonly formsOff: boolean
}

export interface AskTarget {
  /** Whether the question is put to the person by a form. */
  readonly form: boolean
  /** When the model may answer: at once, when the form was left unanswered, or never. */
  readonly model: 'at once' | 'after the form' | 'waits for a person'
}

/**
 * Whom a question is put to. The only place that decides it. The session's setting wins over the connection's, and that
 * over the default: the person first where a person is known to sit, else the model. No form is sent where nobody would
 * read it.
 */
export function askTarget(session: SessionAsk, connection: ConnectionAsk): AskTarget {
  const ask = wantedAsk(session, connection.ask) ?? (isPersonKnown(connection) ? 'both' : 'model')
  const form = ask !== 'model' && canPutForms(connection)
  if (ask === 'person') return { form, model: 'waits for a person' }
  return { form, model: form ? 'after the form' : 'at once' }
}

/** Forms go only to clients with a known person. */
export function canPutForms(connection: ConnectionAsk): boolean {
  return isPersonKnown(connection) && connection.takesForms && !connection.formsOff
}

/** The connection's configuration counts, a session's setting does not: it brings no person to the client. */
export function isPersonKnown({ ask, hasPerson }: Pick<ConnectionAsk, 'ask' | 'hasPerson'>): boolean {
  return hasPerson || ask === 'person' || ask === 'both'
}

/** The setting that applies; undefined means the default. Where only a person may answer, it is `person`. */
export function wantedAsk({ ask, answerers }: SessionAsk, connectionAsk?: Ask): Ask | undefined {
  return answerers === 'person' ? 'person' : (ask ?? connectionAsk)
}

/** Where a person can answer, as part of an error sentence. */
export const WHERE_A_PERSON_ANSWERS =
  "by a form at a client with a person (Claude Code in a terminal, plexus mcp --ask person, /mcp?ask=person), or with the operator's token at POST /rpc"

/** Refuses settings that would ask a model which may not answer. */
export function requireAskable({ ask, answerers }: SessionAsk): void {
  if (answerers !== 'person' || ask === undefined || ask === 'person') return
  throw new AppError(
    'invalid_input',
    `ask cannot be ${ask} where answerers is person, because no model may answer there; leave out ask or answerers.`,
    { data: { field: 'ask' } },
  )
}
