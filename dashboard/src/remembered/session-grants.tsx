import { useSignal } from '@preact/signals'
import { localTime } from '../../../src/command-line/views/session-words.ts'
import type { GrantView } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'
import { useLoaded } from '../hub/loaded.ts'

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
          <summary>Remembered: {visibleText(grant.texts.join('; '))}</summary>
          <p class="faint">{originOf(grant)}</p>
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

function originOf({ scope, by, at, endsAt }: GrantView): string {
  const end = endsAt === undefined ? '' : `, until ${localTime(endsAt)}`
  return `${scope}${end}; by ${visibleText(by)}, ${localTime(at)}`
}
