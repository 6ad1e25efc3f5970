interface PromptFieldProps {
  readonly label: string
  readonly rows: number
  readonly name?: string
  readonly class?: string
}

/** What is said to a session. Enter sends it, as at a terminal; with Shift it is a new line. */
export function PromptField({ label, rows, name, class: kind }: PromptFieldProps) {
  return (
    <label class={kind}>
      <span>{label}</span>
      <textarea
        name={name}
        rows={rows}
        required
        onKeyDown={(event) => {
          const { key, shiftKey, repeat, isComposing, currentTarget } = event
          // Then the keys of the page count again.
          if (key === 'Escape') currentTarget.blur()
          // Whoever chooses a word of their script by Enter has not finished the sentence.
          if (key !== 'Enter' || shiftKey || isComposing) return
          event.preventDefault()
          // A key that is held sends once.
          if (!repeat) currentTarget.form?.requestSubmit()
        }}
      />
    </label>
  )
}

/** Beside the button: what it does without a mouse. */
export function EnterHint({ does }: { readonly does: string }) {
  return (
    <span class="faint">
      <kbd>Enter</kbd> {does}, <kbd>Shift</kbd> <kbd>Enter</kbd> makes a new line
    </span>
  )
}
