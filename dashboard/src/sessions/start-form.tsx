import { useSignal } from '@preact/signals'
import { StartOptions } from './start-options.ts'
import { hub } from '../hub/connection.ts'
import { sessions } from '../hub/hub-state.ts'
import { route } from '../shell/route.ts'
import { BudgetFields } from './budget-fields.tsx'
import { FolderField } from './folder-field.tsx'
import { EnterHint, PromptField } from './prompt-field.tsx'

/** Starts a session: a folder, a prompt, and what it may do unasked. */
export function StartForm() {
  const problem = useSignal<string | undefined>(undefined)
  const isSending = useSignal(false)
  const { value } = route
  const isOpen = sessions.value?.length === 0 || (value.page === 'sessions' && value.isStarting === true)
  const start = async (form: HTMLFormElement) => {
    const { content, options } = StartOptions.read(new FormData(form))
    problem.value = undefined
    isSending.value = true
    try {
      const workingDirectory = await absoluteFolder(options?.workingDirectory ?? '')
      const { id } = await hub.call('createSession', { options: { ...options, workingDirectory }, content })
      form.reset()
      form.closest('details')?.removeAttribute('open')
      location.hash = `#/s/${id}`
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
    }
    isSending.value = false
  }
  return (
    <details class="start" open={isOpen}>
      <summary>Start a session</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // The button is off meanwhile; a key reaches the form all the same.
          if (!isSending.peek()) void start(event.currentTarget)
        }}
      >
        <FolderField name="workingDirectory" />
        <PromptField label="What to do" class="field" name="content" rows={3} />
        <label class="field">
          <span>Name</span>
          <input type="text" name="name" />
        </label>
        <Choice name="permissionMode" label="Mode" options={StartOptions.modes} />
        <details>
          <summary>Model, budget and more</summary>
          <label class="field">
            <span>Model</span>
            <input type="text" name="model" placeholder="as you have set it" />
          </label>
          <Choice name="supervise" label="What is asked" options={StartOptions.supervision} />
          <BudgetFields />
          <label class="field">
            <input type="checkbox" name="nested" />
            <span>It may start sessions below it</span>
          </label>
        </details>
        {problem.value !== undefined && <p role="alert">{problem.value}</p>}
        <button type="submit" class="primary" disabled={isSending.value}>
          {isSending.value ? 'Starting …' : 'Start'}
        </button>{' '}
        <EnterHint does="starts it" />
      </form>
    </details>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly options: readonly (readonly [value: string, label: string])[]
}

function Choice({ name, label, options }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Only the hub knows what `~` is. */
async function absoluteFolder(typed: string): Promise<string> {
  if (!typed.startsWith('~')) return typed
  return (await hub.call('listFolders', { path: `${typed}/` })).folder
}
