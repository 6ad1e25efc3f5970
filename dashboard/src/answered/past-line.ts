import { questionLine } from '../../../src/command-line/views/question-views.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'

/** What a settled question asked, in one line that says that it is over: `was allowed to run: touch x`. Pure. */
export function pastLine(question: PendingQuestion, isEdited: boolean): string {
  const line = questionLine(question)
  const [, rest] = /^wants to (.*)/s.exec(line) ?? []
  if (rest === undefined)
    return line.replace(/^(?:has|asks)(?=\b)/, (verb) => (verb === 'has' ? 'had' : 'asked'))
  const as = isEdited ? ', as edited, ' : ' '
  if (question.status === 'allowed') return `was allowed${as}to ${rest}`
  return question.status === 'denied' ? `was not allowed to ${rest}` : `wanted to ${rest}`
}
