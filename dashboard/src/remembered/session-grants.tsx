import { useSignal } from '@preact/signals'
import { localTime } from '../../../src/command-line/views/session-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'
import { sessions } from '../hub/hub-state.ts'
import { useLoaded } from '../hub/loaded.ts'
import { holdsWords, withSessionNames } from './grant-words.ts'

interface GrantsProps {
  readonly sessionId: string
  /** Read again when the session has changed. */
  readonly lastSeq: number
}

/** What was remembered with answers and holds in a session: each rule as it is stored, where it comes from, and its end. */
export function SessionGrants({ sessionId, lastSeq }: GrantsProps) {
  // Counts up with each end, and says what went wrong.
  const outcome = useSignal<number | string>(0)
  const grants = useLoaded(() => hub.call('listGrants', { sessionId }), [sessionId, lastSeq, outcome.value])
  const revoke = async (grantId: string) => {
    outcome.value = await hub.call('revokeGrant', { grantId }).then(Date.now, String)
  }
  return (
    <>
      {typeof outcome.value === 'string' && <p role="alert">{outcome.value}</p>}
      {grants.value?.map((grant) => (
        <details key={grant.id}>
          <summary>
            Remembered: {withSessionNames(grant.texts.join('; '), sessions.value ?? [])}{' '}
            <span class="faint">({holdsWords(grant)})</span>
          </summary>
          <p class="faint">
            by {visibleText(grant.by)}, {localTime(grant.at)}
            {grant.approvalId !== undefined && (
              <>
                , with the answer to <a href={`#/q/${grant.approvalId}`}>this question</a>
              </>
            )}
          </p>
          {storedScope() !== 'read' && (
            <button type="button" class="deny" onClick={() => void revoke(grant.id)}>
              Revoke
            </button>
          )}
        </details>
      ))}
    </>
  )
}
