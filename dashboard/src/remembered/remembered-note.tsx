import { useSignal } from '@preact/signals'
import { hub } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'
import { sessions } from '../hub/hub-state.ts'
import { useLoaded } from '../hub/loaded.ts'
import { holdsWords, withSessionNames } from './grant-words.ts'

interface NoteProps {
  readonly sessionId: string
  readonly approvalId: string
}

/** What the answer to a question has the hub remember, with the way to revoke it. */
export function RememberedNote({ sessionId, approvalId }: NoteProps) {
  // Counts up with each end, or says what went wrong.
  const outcome = useSignal<number | string>(0)
  const grants = useLoaded(() => hub.call('listGrants', { sessionId }), [approvalId, outcome.value])
  const grant = grants.value?.find((each) => each.approvalId === approvalId)
  const revoke = async (grantId: string) => {
    outcome.value = await hub.call('revokeGrant', { grantId }).then(Date.now, String)
  }
  if (!grant)
    return typeof outcome.value === 'number' && outcome.value > 0 && grants.value ? (
      <p role="status">It is revoked: the next such call is asked about.</p>
    ) : null
  return (
    <div class="remembered">
      <p>Not asked about again {holdsWords(grant)}:</p>
      <pre>{grant.texts.map((text) => withSessionNames(text, sessions.value ?? [])).join('\n')}</pre>
      {typeof outcome.value === 'string' && <p role="alert">{outcome.value}</p>}
      {storedScope() !== 'read' && (
        <button type="button" class="deny small" onClick={() => void revoke(grant.id)}>
          Revoke: ask again
        </button>
      )}
    </div>
  )
}
