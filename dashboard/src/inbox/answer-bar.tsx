import { useEffect, useRef } from 'preact/hooks'
import { isSettling } from '../../../src/command-line/dialog/dialog.ts'
import { DISMISSES } from '../../../src/command-line/dialog/dialog-lines.ts'
import { type Choice, choicesOf } from '../../../src/command-line/dialog/dialog-choices.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { lazyPage } from '../shell/lazy-page.tsx'
import { reasons } from './drafts.ts'
import { choose, dialog, mayAnswer, send, stepBack } from './inbox-state.ts'
import { KeyNote } from './key-note.tsx'

const RememberScope = lazyPage(async () => (await import('../remembered/remember-scope.tsx')).RememberScope)

/** What the page offers by other means than a button. */
const OTHERWISE: ReadonlySet<Choice['does']> = new Set(['show', 'reply', 'scope', 'hour', 'rule'])

/** What the person can do now: the choices of a terminal, as buttons with the same keys. */
export function AnswerBar({ question }: { readonly question: PendingQuestion }) {
  const { step } = dialog.value
  if (isSettling(dialog.value))
    return (
      <p class="answer-bar" role="status">
        The answer is on its way …
      </p>
    )
  if (step === 'reason') return <ReasonForm question={question} />
  return (
    <>
      {(step === 'wider' || step === 'sure') && <Wider question={question} />}
      <div class="answer-bar">
        {step === 'sure' && (
          <p role="alert">This rule would have allowed what was denied. Remember it all the same?</p>
        )}
        {step === 'dismiss' && <p role="alert">{DISMISSES}</p>}
        {step === 'edited' && <p>{EDITED[question.kind === 'plan' ? 'plan' : 'call']}</p>}
        <div class="buttons">
          {choicesOf(dialog.value)
            .filter(({ does }) => !OTHERWISE.has(does))
            .map((choice) => (
              <ChoiceButton key={choice.key + choice.label} choice={choice} />
            ))}
          {step !== 'choose' && step !== 'reply' && (
            <button type="button" onClick={stepBack}>
              Back <kbd>Esc</kbd>
            </button>
          )}
        </div>
        <KeyNote />
      </div>
    </>
  )
}

const EDITED = {
  plan: 'This is the plan as you edited it. It is not approved yet.',
  call: 'This is what would run now. Nothing has run yet.',
}

function ChoiceButton({ choice }: { readonly choice: Choice }) {
  // One button is the answer to what is shown; wider ones are chosen, not suggested by a colour.
  const isYes =
    (choice.does === 'answer' && choice.answer.approve === true && choice.answer.remember !== 'suggested') ||
    choice.does === 'sure'
  const isNo = choice.does === 'reason' || (choice.does === 'answer' && choice.answer.approve === false)
  return (
    <button
      type="button"
      class={isYes ? 'allow' : isNo ? 'deny' : ''}
      disabled={!mayAnswer.value}
      onClick={() => choose(choice.key)}
    >
      {capital(visibleText(wordsOf(choice)))} <kbd>{choice.key}</kbd>
    </button>
  )
}

/** With a panel above the button, its word says what it does. */
function wordsOf({ label, does, ...choice }: Choice): string {
  const answer = 'answer' in choice ? choice.answer : undefined
  const isRemembered = answer?.remember !== undefined && answer.remember !== 'suggested'
  if (label === 'confirm' && (does === 'sure' || isRemembered)) return 'allow, and do not ask again'
  return label
}

/** The very text of what would no longer be asked about. */
function Wider({ question }: { readonly question: PendingQuestion }) {
  if (question.kind === 'budget')
    return <p>The work of all of them ends. Nothing is lost; a prompt resumes a session.</p>
  if (question.kind === 'plan')
    return (
      <p>
        This approves the plan, and edits of files in its folder are not asked about from then on
        (acceptEdits).
      </p>
    )
  if (!question.remembers)
    return <p>This cannot be remembered: a rule asks about it, or its folder is not known.</p>
  return <RememberScope />
}

function ReasonForm({ question }: { readonly question: PendingQuestion }) {
  const text = reasons.of(question, () => '')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = () => send(text.value)
  return (
    <form
      class="answer-bar"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <label>
        {reasonLabel(question)}
        <textarea
          ref={field}
          rows={2}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            submit()
          }}
        />
      </label>
      <div class="buttons">
        <button type="submit" class="deny" disabled={!mayAnswer.value}>
          {reasonButton(question)} <kbd>Enter</kbd>
        </button>
        <button type="button" onClick={stepBack}>
          Back <kbd>Esc</kbd>
        </button>
      </div>
      <KeyNote />
    </form>
  )
}

function reasonLabel({ kind }: PendingQuestion): string {
  if (kind === 'plan') return 'What should be different? The model reads it.'
  return kind === 'question' ? 'Why no answer? The model reads it.' : 'Why not? The model reads it.'
}

function reasonButton({ kind }: PendingQuestion): string {
  return kind === 'plan' ? 'Reject the plan' : kind === 'question' ? 'Decline' : 'Deny'
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
