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
  const revoked = useSignal(0)
  const problem = useSignal<string | undefined>(undefined)
  const grants = useLoaded(() => hub.call('listGrants', { sessionId }), [sessionId, lastSeq, revoked.value])
  const revoke = (grantId: string) => {
    problem.value = undefined
    hub
      .call('revokeGrant', { grantId })
      .then(() => (revoked.value += 1))
      .catch((error: unknown) => (problem.value = error instanceof Error ? error.message : String(error)))
  }
  if (!grants.value || grants.value.length === 0) return null
  return (
    <details open>
      <summary>Remembered: not asked about here</summary>
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      <ul class="grants">
        {grants.value.map((grant) => (
          <li key={grant.id}>
            <pre>{grant.texts.map(visibleText).join('\n')}</pre>
            <p class="faint">{originOf(grant)}</p>
            {storedScope() !== 'read' && (
              <button type="button" class="deny" onClick={() => revoke(grant.id)}>
                Revoke
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

function originOf({ scope, by, at, endsAt }: GrantView): string {
  const end = endsAt === undefined ? '' : `, until ${localTime(endsAt)}`
  return `${scope}${end}; by ${visibleText(by)}, ${localTime(at)}`
}
