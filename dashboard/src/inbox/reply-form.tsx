import type { Question } from '../../../src/approvals/question.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { replies, type Reply } from './drafts.ts'
import { answerQuestions, mayAnswer } from './inbox-state.ts'
import { KeyNote } from './key-note.tsx'
import { NoAnswerButtons } from './no-answer-buttons.tsx'

const NOTHING: Reply = { chosen: [], text: '' }

/** What a session asks with choices: all of it on one card, sent at once. */
export function ReplyForm({ question }: { readonly question: PendingQuestion }) {
  const given = replies.of(question, () => question.questions.map(() => NOTHING))
  const answers = given.value.map(({ chosen, text }) =>
    text.trim() === '' ? chosen.join(', ') : text.trim(),
  )
  // The question that stands for a flood has its own no, and about a budget the choices are all there is.
  const mayDecline = question.kind === 'question' && !question.flood
  const isComplete = answers.every((answer) => answer !== '')
  const change = (index: number, reply: Reply) => (given.value = given.value.with(index, reply))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) void answerQuestions(question, answers)
      }}
    >
      {question.questions.map((asked, index) => (
        <Choices
          key={index}
          name={`${question.id}-${index}`}
          asked={asked}
          reply={given.value[index] ?? NOTHING}
          onChange={(reply) => change(index, reply)}
        />
      ))}
      <div class="answer-bar buttons">
        <button type="submit" class="allow" disabled={!isComplete || !mayAnswer.value}>
          Send the answer
        </button>
        {mayDecline && <NoAnswerButtons />}
        <KeyNote />
      </div>
    </form>
  )
}

interface ChoicesProps {
  readonly name: string
  readonly asked: Question
  readonly reply: Reply
  readonly onChange: (reply: Reply) => void
}

function Choices({
  name,
  asked: { question, header, options, descriptions, multiSelect, freeText },
  reply,
  onChange,
}: ChoicesProps) {
  const toggle = (option: string) => {
    const others = multiSelect ? reply.chosen.filter((each) => each !== option) : []
    onChange({
      text: '',
      chosen: reply.chosen.includes(option) && multiSelect ? others : [...others, option],
    })
  }
  return (
    <fieldset>
      <legend>
        {header !== undefined && <span class="tag">{visibleText(header)}</span>} {visibleText(question)}
      </legend>
      {options.map((option, index) => (
        <label key={index} class="option">
          <input
            type={multiSelect ? 'checkbox' : 'radio'}
            name={name}
            checked={reply.chosen.includes(option)}
            onChange={() => toggle(option)}
          />
          <span>
            {visibleText(option)}
            {descriptions?.[index] && <span class="faint"> {visibleText(descriptions[index] ?? '')}</span>}
          </span>
        </label>
      ))}
      {freeText && (
        <label class="option">
          <span>{options.length === 0 ? 'Your answer' : 'Or something else'}</span>
          <input
            type="text"
            value={reply.text}
            onInput={({ currentTarget }) => onChange({ chosen: [], text: currentTarget.value })}
          />
        </label>
      )}
    </fieldset>
  )
}
