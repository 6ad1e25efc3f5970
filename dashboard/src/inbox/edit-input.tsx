import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { edits } from './drafts.ts'
import { dialog, edited, stepBack } from './inbox-state.ts'

/** The input of the question in front of the person. */
export function EditFocused() {
  const { question } = dialog.value
  return question ? <EditInput key={question.id} question={question} /> : null
}

/** The input as text: a command and a plan as they are, anything else as JSON. What is proposed and what is approved stay apart. */
function EditInput({ question }: { readonly question: PendingQuestion }) {
  const { input } = question
  const field = textFieldOf(question)
  const text = edits.of(question, () =>
    field === undefined ? JSON.stringify(input, null, 2) : String(input[field]),
  )
  const problem = useSignal<string | undefined>(undefined)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [])
  const save = () => {
    const changed = field === undefined ? parsed(text.value) : { ...input, [field]: text.value }
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
        {field === undefined ? 'The input, as JSON' : LABELS[field]}
        <textarea
          ref={area}
          class="code"
          rows={Math.min(20, text.value.split('\n').length + 2)}
          spellcheck={false}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </label>
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      <div class="buttons">
        <button type="submit">{field === 'plan' ? 'Show the plan as edited' : 'Show what would run'}</button>
        <button type="button" onClick={stepBack}>
          Back <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  )
}

const LABELS = { command: 'The command that would run instead', plan: 'The plan, as Markdown' }

/** The field that is the whole of what a person edits. */
function textFieldOf({ kind, toolName, input }: PendingQuestion): keyof typeof LABELS | undefined {
  if (kind === 'plan' && typeof input['plan'] === 'string') return 'plan'
  return toolName === 'Bash' && typeof input['command'] === 'string' ? 'command' : undefined
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
