import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { contentOf, fieldsOf, type FormField } from './form-fields.ts'
import { forms } from '../inbox/drafts.ts'
import { KeyNote } from '../inbox/key-note.tsx'
import { acceptForm, mayAnswer } from '../inbox/inbox-state.ts'
import { NoAnswerButtons } from '../inbox/no-answer-buttons.tsx'

/** A form that an MCP server of the session asks a person to fill in. */
export function FormView({ question }: { readonly question: PendingQuestion }) {
  const fields = fieldsOf(question.input['schema'])
  const values = forms.of(question, () =>
    Object.fromEntries((fields ?? []).map(({ name, initial }) => [name, initial])),
  )
  const { message } = question.input
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (fields) void acceptForm(question, contentOf(fields, values.value))
      }}
    >
      <p>{visibleText(typeof message === 'string' ? message : '')}</p>
      {fields?.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values.value[field.name] ?? ''}
          onChange={(value) => (values.value = { ...values.value, [field.name]: value })}
        />
      ))}
      {!fields && <p>This form cannot be filled in here; it can be declined.</p>}
      <div class="answer-bar buttons">
        {fields && (
          <button type="submit" class="allow" disabled={!mayAnswer.value}>
            Send
          </button>
        )}
        <NoAnswerButtons />
        <KeyNote />
      </div>
    </form>
  )
}

interface FieldProps {
  readonly field: FormField
  readonly value: string
  readonly onChange: (value: string) => void
}

function Field({ field: { label, description, type, options, isRequired }, value, onChange }: FieldProps) {
  return (
    <label class="field">
      <span>
        {visibleText(label)}
        {isRequired ? ' (needed)' : ''}
      </span>
      {type === 'choice' ? (
        <select
          required={isRequired}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          <option value="" />
          {options.map((option) => (
            <option key={option} value={option}>
              {visibleText(option)}
            </option>
          ))}
        </select>
      ) : type === 'boolean' ? (
        <input
          type="checkbox"
          checked={value === 'true'}
          onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
        />
      ) : (
        <input
          type="text"
          inputMode={type === 'number' ? 'decimal' : 'text'}
          required={isRequired}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      {description !== '' && <span class="faint">{visibleText(description)}</span>}
    </label>
  )
}
