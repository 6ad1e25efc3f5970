import type { Ask } from '../ask.ts'
import { WHERE_A_PERSON_ANSWERS, wishOf } from '../engine/who-is-asked.ts'
import type { Session } from '../sessions/session.ts'

/** For a session whose questions are put to a person: that, and where one can answer. */
export function waitsForPerson(
  session: Pick<Session, 'ask' | 'answerers'>,
  ofConnection: Ask | undefined,
): string | undefined {
  return wishOf(session, ofConnection) === 'person'
    ? `It waits for a person, who can answer ${WHERE_A_PERSON_ANSWERS}.`
    : undefined
}
