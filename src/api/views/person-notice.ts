import type { Ask } from '../../base/ask-setting.ts'
import { WHERE_A_PERSON_ANSWERS, wantedAsk } from '../../engine/access/ask-target.ts'
import type { Session } from '../../sessions/record/session.ts'

/** For a session whose questions are put to a person: that, and where one can answer. */
export function waitsForPerson(
  session: Pick<Session, 'ask' | 'answerers'>,
  ofConnection: Ask | undefined,
): string | undefined {
  return wantedAsk(session, ofConnection) === 'person'
    ? `It waits for a person, who can answer ${WHERE_A_PERSON_ANSWERS}.`
    : undefined
}
