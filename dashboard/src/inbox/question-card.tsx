import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { questionLine, timeLeft } from '../../../src/command-line/views/question-views.ts'
import { span } from '../../../src/command-line/views/session-words.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { sessions, titleOfId } from '../hub/hub-state.ts'
import { now } from '../shell/clock.ts'
import { AnswerBar } from './answer-bar.tsx'
import { dialog, isEditing, problem } from './inbox-state.ts'
import { QuestionBody } from './question-body.tsx'
import { Joined } from '../text/joined.tsx'
import { lazyPage } from '../shell/lazy-page.tsx'

const ReplyForm = lazyPage(async () => (await import('./reply-form.tsx')).ReplyForm)
const FormView = lazyPage(async () => (await import('../forms/form-view.tsx')).FormView)
const EditFocused = lazyPage(async () => (await import('./edit-input.tsx')).EditFocused)
const FocusedContext = lazyPage(async () => (await import('../before/question-context.tsx')).FocusedContext)

/** A question as a person decides on it: one sentence first, the exact text below, then what can be done. */
export function QuestionCard({ question }: { readonly question: PendingQuestion }) {
  const { step, edited } = dialog.value
  const shown = step === 'edited' && edited ? { ...question, input: edited } : question
  const { kind } = question
  const isFilledIn = kind === 'form' || kind === 'question' || kind === 'budget'
  // What was chosen or typed stays, though something else is asked about for a moment.
  const isAside = step === 'reason' || step === 'dismiss' || step === 'wider'
  return (
    <article class="card" aria-labelledby="question-title">
      <CardHead question={shown} isEdited={shown !== question} />
      <div class="card-body">
        <QuestionBody question={shown} asked={shown === question ? undefined : question.input} />
        {/* What would be remembered needs the place, next to what is asked. */}
        {step !== 'wider' && step !== 'sure' && <FocusedContext />}
      </div>
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      {isEditing.value ? (
        <EditFocused />
      ) : (
        <>
          {isFilledIn && (
            <div hidden={isAside}>
              {kind === 'form' ? (
                <FormView key={question.id} question={question} />
              ) : (
                <ReplyForm key={question.id} question={question} />
              )}
            </div>
          )}
          {(!isFilledIn || isAside) && <AnswerBar question={question} />}
        </>
      )}
    </article>
  )
}

interface HeadProps {
  /** With the input that is shown. */
  readonly question: PendingQuestion
  /** In place of what it asks now. */
  readonly line?: string
  readonly isEdited?: boolean
}

export function CardHead({ question, line = questionLine(question), isEdited = false }: HeadProps) {
  const session = sessions.value?.find(({ id }) => id === question.sessionId)
  const left = timeLeft(question, session?.timeoutMs ?? 0, now.value)
  const facts = [
    `asked ${span(now.value - question.openedAt)} ago`,
    ...(question.cwd === undefined ? [] : [`in ${visibleText(question.cwd)}`]),
    ...(question.agentId === undefined ? [] : ['by a sub-agent']),
  ]
  return (
    <header class="card-head">
      <h2 id="question-title">
        <a href={`#/s/${question.sessionId}`}>{titleOfId(question.sessionId)}</a> <Joined text={line} />{' '}
        {isEdited && <span class="tag">as edited</span>}
      </h2>
      <p class="faint">
        <span class="tag">{visibleText(question.shortId ?? question.id.slice(0, 8))}</span> {facts.join(', ')}
        {left && question.status === 'pending' && (
          <span class={left.isShort ? 'attention' : ''}>, {left.text}</span>
        )}
      </p>
      {question.reason !== undefined && (
        <p class="reason">
          <span class="tag">why it is asked</span> {visibleText(question.reason).slice(0, MAX_REASON)}
        </p>
      )}
    </header>
  )
}

const MAX_REASON = 300
