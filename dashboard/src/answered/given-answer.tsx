import { answerParts } from '../../../src/command-line/views/answer-lines.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'

/** What was answered to a question with choices, to a form or to a budget. */
export function GivenAnswer({ question }: { readonly question: PendingQuestion }) {
  const { answers = [], content = {}, note } = answerParts(question, question.decision)
  const rows = [
    ...answers.map(({ question: asked, answer }) => [asked, answer] as const),
    ...Object.entries(content).map(([name, value]) => [name, String(value)] as const),
    ...(note === undefined ? [] : [['Note to the session', note] as const]),
  ]
  if (rows.length === 0) return null
  return (
    <dl class="given">
      {rows.map(([asked, answer], index) => (
        <div key={index}>
          <dt>{visibleText(asked)}</dt>
          <dd>{visibleText(answer)}</dd>
        </div>
      ))}
    </dl>
  )
}
