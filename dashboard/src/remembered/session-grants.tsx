import { useSignal } from '@preact/signals'
import { localTime } from '../../../src/command-line/views/session-words.ts'
import type { GrantView } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'
import { sessions } from '../hub/hub-state.ts'
import { useLoaded } from '../hub/loaded.ts'
import { endedWords, holdsWords, withSessionNames } from './grant-words.ts'

interface GrantsProps {
  readonly sessionId: string
  /** Read again when the session has changed. */
  readonly lastSeq: number
}

/** What was remembered with answers and holds in a session: each rule as it is stored, where it comes from, and its end. */
export function SessionGrants({ sessionId, lastSeq }: GrantsProps) {
  // Counts up with each end, and says what went wrong.
  const outcome = useSignal<number | string>(0)
  const grants = useLoaded(
    () => hub.call('listGrants', { sessionId, ended: true }),
    [sessionId, lastSeq, outcome.value],
  )
  const ended = grants.value?.filter((grant) => grant.ended) ?? []
  const revoke = async (grantId: string) => {
    outcome.value = await hub.call('revokeGrant', { grantId }).then(Date.now, String)
  }
  return (
    <>
      {typeof outcome.value === 'string' && <p role="alert">{outcome.value}</p>}
      {grants.value?.map((grant) =>
        grant.ended ? null : (
          <details key={grant.id}>
            <summary>
              Remembered: {withSessionNames(grant.texts.join('; '), sessions.value ?? [])}{' '}
              <span class="faint">({holdsWords(grant)})</span>
            </summary>
            <Origin grant={grant} />
            {storedScope() !== 'read' && (
              <button type="button" class="deny" onClick={() => void revoke(grant.id)}>
                Revoke
              </button>
            )}
          </details>
        ),
      )}
      {ended.length > 0 && (
        <details>
          <summary>Remembered before, and over: {ended.length}</summary>
          <ul>
            {ended.map((grant) => (
              <li key={grant.id}>
                {withSessionNames(grant.texts.join('; '), sessions.value ?? [])}{' '}
                <span class="faint">({endedWords(grant)})</span>
                <Origin grant={grant} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function Origin({ grant: { by, at, approvalId } }: { readonly grant: GrantView }) {
  return (
    <p class="faint">
      by {visibleText(by)}, {localTime(at)}
      {approvalId !== undefined && (
        <>
          , with the answer to <a href={`#/q/${approvalId}`}>this question</a>
        </>
      )}
    </p>
  )
}
