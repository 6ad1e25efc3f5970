import { answerParts } from '../../../src/command-line/views/answer-lines.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { CardHead } from '../inbox/question-card.tsx'
import { settled } from '../inbox/inbox-state.ts'
import { QuestionBody } from '../inbox/question-body.tsx'
import { RememberedNote } from '../remembered/remembered-note.tsx'
import { AskedChoices } from './asked-choices.tsx'
import { CallOutcome } from './call-outcome.tsx'
import { GivenAnswer } from './given-answer.tsx'
import { pastLine } from './past-line.ts'
import { SettledNote } from './settled-note.tsx'

/** A question that is over: how it ended, and what was decided on. What was edited is shown as it ran. */
export function SettledCard() {
  return settled.value ? <Settled key={settled.value.id} question={settled.value} /> : null
}

function Settled({ question }: { readonly question: PendingQuestion }) {
  const { approvedInput } = answerParts(question, question.decision)
  const decided = approvedInput ? { ...question, input: approvedInput } : question
  const body = <QuestionBody question={decided} asked={approvedInput && question.input} />
  return (
    <>
      <CardHead question={decided} line={pastLine(decided, approvedInput !== undefined)} />
      <SettledNote approval={question} />
      <GivenAnswer question={question} />
      {question.kind === 'question' && <AskedChoices questions={question.questions} />}
      {question.status === 'allowed' && question.kind === 'tool' ? (
        <CallOutcome key={question.id} question={question}>
          <RememberedNote key={question.id} sessionId={question.sessionId} approvalId={question.id} />
          {body}
        </CallOutcome>
      ) : (
        body
      )}
    </>
  )
}
