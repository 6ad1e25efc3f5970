import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { edited, isEditing } from './inbox-state.ts'

/** The input as text: a command as it is, anything else as JSON. What is proposed and what is approved stay apart. */
export function EditInput({ question }: { readonly question: PendingQuestion }) {
  const { input, toolName } = question
  const isCommand = toolName === 'Bash' && typeof input['command'] === 'string'
  const text = useSignal(isCommand ? String(input['command']) : JSON.stringify(input, null, 2))
  const problem = useSignal<string | undefined>(undefined)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const save = () => {
    const changed = isCommand ? { ...input, command: text.value } : parsed(text.value)
    if (changed) edited(changed)
    else problem.value = 'This is not a JSON object.'
  }
  return (
    <form
      class="answer-bar"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <label>
        {isCommand ? 'The command that would run instead' : 'The input, as JSON'}
        <textarea
          ref={field}
          class="code"
          rows={Math.min(20, text.value.split('\n').length + 2)}
          spellcheck={false}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </label>
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      <div class="buttons">
        <button type="submit">Show what would run</button>
        <button type="button" onClick={() => (isEditing.value = false)}>
          Back <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  )
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
