import type { Ask } from '../../base/ask-setting.ts'
import { WHERE_A_PERSON_ANSWERS, wantedAsk } from '../../engine/access/ask-target.ts'
import type { Session } from '../../sessions/record/session.ts'

/** A sentence for sessions whose questions are put to a person: where the person can answer. */
export function personNotice(
  session: Pick<Session, 'ask' | 'answerers'>,
  connectionAsk: Ask | undefined,
): string | undefined {
  return wantedAsk(session, connectionAsk) === 'person'
    ? `It waits for a person, who can answer ${WHERE_A_PERSON_ANSWERS}.`
    : undefined
}
