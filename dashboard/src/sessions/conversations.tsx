import { useSignal } from '@preact/signals'
import type { Conversation } from '../../../src/engine/conversations.ts'
import { span } from '../../../src/command-line/views/session-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'
import { now } from '../shell/clock.ts'

/** Conversations that were had in a terminal, and can be continued here. */
export function Conversations() {
  const found = useSignal<readonly Conversation[] | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const fail = (error: unknown) => (problem.value = error instanceof Error ? error.message : String(error))
  const read = async () => {
    const all = await hub.call('listConversations', { limit: 50 })
    found.value = all.filter(({ session }) => session === undefined)
  }
  return (
    <details
      onToggle={({ currentTarget }) =>
        void (currentTarget.open && found.value === undefined && read().catch(fail))
      }
    >
      <summary>Conversations from your terminals</summary>
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      {found.value?.length === 0 && <p>There are none.</p>}
      <ul class="sessions">
        {found.value?.map((conversation) => (
          <li key={conversation.sessionId}>
            {visibleText(conversation.title)}{' '}
            <span class="faint">
              {visibleText(conversation.workingDirectory)}, {span(now.value - conversation.updatedAt)} ago
              {conversation.openIn === undefined ? '' : ', open in a terminal'}
            </span>{' '}
            {storedScope() === 'operate' && conversation.openIn === undefined && (
              <button type="button" onClick={() => void resume(conversation).catch(fail)}>
                Resume here
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

async function resume({ sessionId }: Conversation): Promise<void> {
  const { id } = await hub.call('createSession', { resume: sessionId })
  location.hash = `#/s/${id}`
}
