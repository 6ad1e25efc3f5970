import { answerParts, endWords } from '../../../src/command-line/views/answer-lines.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'

/** Settled and open questions in the order in which they were asked. One that was settled meanwhile counts as settled. Pure. */
export function timelineOf(
  decided: readonly PendingQuestion[],
  open: readonly PendingQuestion[],
): PendingQuestion[] {
  const settled = new Set(decided.map(({ id }) => id))
  return [...decided, ...open.filter(({ id }) => !settled.has(id))].toSorted(
    (a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1),
  )
}

/** What became of a question, in a few words. An allowed call ran only if the child has confirmed it. Pure. */
export function outcomeOf(question: PendingQuestion): string {
  const { status, by, delivery } = question
  if (status === 'pending') return 'waits'
  const who = by === undefined ? '' : ` by ${visibleText(by)}`
  const { answers } = answerParts(question, question.decision)
  const said = answers?.length ? `: ${answers.map(({ answer }) => visibleText(answer)).join('; ')}` : ''
  const isRun = status === 'allowed' && delivery === 'acknowledged' && question.kind === 'tool'
  return `${endWords(question, question)}${who}${isRun ? ', ran' : ''}${said}`
}

/** What a question is about: after an edit, what was approved. Pure. */
export function decidedInput(question: PendingQuestion): PendingQuestion['input'] {
  return answerParts(question, question.decision).approvedInput ?? question.input
}
