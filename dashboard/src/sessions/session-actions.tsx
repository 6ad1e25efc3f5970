import { useSignal } from '@preact/signals'
import type { Session } from '../../../src/sessions/record/session.ts'
import { hub } from '../hub/connection.ts'
import { labelOf, titleOf } from '../../../src/command-line/views/session-words.ts'
import { exportedMarkdown } from './export.ts'

type Step = 'choose' | 'rename' | 'delete'

/** A person has its conversation there: it is not ours to prompt or to end. */
export function isInTerminal({ outside }: Session): boolean {
  return outside?.to === 'terminal'
}

export function SessionActions({ session }: { readonly session: Session }) {
  const { id: sessionId, status } = session
  const step = useSignal<Step>('choose')
  const problem = useSignal<string | undefined>(undefined)
  const isAtWork = status === 'running' || status === 'waiting'
  const run = (work: () => Promise<unknown>) => {
    problem.value = undefined
    work().catch((error: unknown) => (problem.value = error instanceof Error ? error.message : String(error)))
  }
  return (
    <>
      <div class="buttons">
        {isAtWork && !isInTerminal(session) && (
          <button type="button" onClick={() => run(() => hub.call('interrupt', { sessionId }))}>
            Interrupt
          </button>
        )}
        {!isInTerminal(session) && (
          <button type="button" onClick={() => run(() => hub.call('stopSession', { sessionId }))}>
            Stop
          </button>
        )}
        <button type="button" onClick={() => (step.value = 'rename')}>
          Rename
        </button>
        <button
          type="button"
          onClick={() =>
            run(async () => {
              const { id } = await hub.call('fork', { sessionId })
              location.hash = `#/s/${id}`
            })
          }
        >
          Fork
        </button>
        <button type="button" onClick={() => run(() => saved(session))}>
          Export
        </button>
        <button type="button" class="deny" onClick={() => (step.value = 'delete')}>
          Delete
        </button>
      </div>
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      {step.value === 'rename' && (
        <Rename
          session={session}
          onDone={(name) => {
            step.value = 'choose'
            if (name !== undefined) run(() => hub.call('renameSession', { sessionId, name }))
          }}
        />
      )}
      {step.value === 'delete' && (
        <p>
          {isAtWork ? 'It is at work, and will be stopped. ' : ''}Its log and its questions are removed from
          Plexus; the conversation stays in Claude Code.{' '}
          <button
            type="button"
            class="deny"
            onClick={() =>
              run(async () => {
                await hub.call('deleteSession', { sessionId, ...(isAtWork ? { stop: true } : {}) })
                location.hash = '#/sessions'
              })
            }
          >
            Delete {titleOf(session)}
          </button>{' '}
          <button type="button" onClick={() => (step.value = 'choose')}>
            Back
          </button>
        </p>
      )}
    </>
  )
}

function Rename({ session, onDone }: { session: Session; onDone: (name: string | undefined) => void }) {
  const name = useSignal(session.name ?? '')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onDone(name.value.trim() === '' ? undefined : name.value.trim())
      }}
    >
      <label>
        New name{' '}
        <input
          type="text"
          value={name.value}
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
        />
      </label>{' '}
      <button type="submit">Rename</button>
    </form>
  )
}

/** The whole log as a file, made in the browser. */
async function saved(session: Session): Promise<void> {
  const text = await exportedMarkdown(session)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }))
  link.download = `${labelOf(session).replaceAll(/[^\w.-]/g, '_')}.md`
  link.click()
  URL.revokeObjectURL(link.href)
}
