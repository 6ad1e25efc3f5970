import { amountText } from '../../budgets/budget.ts'
import type { Decision } from '../../events/decision.ts'
import type { EventOf } from '../../events/session-event.ts'
import { endMeaning, type EndedQuestion, endOf } from '../../approvals/ends/question-end.ts'
import { isOwnSentence } from '../../approvals/ends/model-sentences.ts'
import { isSameJson } from '../../text/same-json.ts'
import { visibleText } from '../../text/visible-text.ts'
import { inputChange } from './edited-input.ts'
import { clockTime, oneLine, viaWords } from './session-words.ts'

/** What was asked, as far as its answer needs it. */
export interface AskedCall {
  readonly kind: string
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What was answered besides yes or no: a reason, the chosen options, what was changed, a note. Pure. */
export interface AnswerParts {
  readonly reason?: string
  readonly note?: string
  readonly answers?: readonly { readonly question: string; readonly answer: string }[]
  readonly approvedInput?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, unknown>>
}

export function answerParts(asked: AskedCall | undefined, decision: Decision | undefined): AnswerParts {
  switch (decision?.behavior) {
    case undefined:
      return {}
    case 'deny':
      // Without a reason the model reads our own sentence, which nobody gave.
      return isOwnSentence(decision.message) ? {} : { reason: decision.message }
    case 'form':
      return decision.content === undefined ? {} : { content: decision.content }
    case 'budget':
      return { answers: [{ question: 'the budget', answer: budgetAnswer(decision) }] }
    case 'allow': {
      const { updatedInput, message } = decision
      const note = message === undefined ? {} : { note: message }
      if (!asked) return note
      if (asked.kind === 'question') return { ...note, answers: chosenIn(updatedInput) }
      return isSameJson(updatedInput, asked.input) ? note : { ...note, approvedInput: updatedInput }
    }
  }
}

/** How it ended, in words: what was changed before it was allowed was not allowed as it was asked. Pure. */
export function endWords(asked: AskedCall | undefined, ended: EndedQuestion): string {
  const end = endOf({ ...ended, kind: asked?.kind ?? ended.kind })
  return answerParts(asked, ended.decision).approvedInput ? `${end} as edited` : end
}

function budgetAnswer({ action, resource, limit }: Extract<Decision, { behavior: 'budget' }>): string {
  return limit === undefined ? action : `raise to ${amountText(resource, limit)}`
}

/** In lines: an edit as a diff from what was proposed to what was approved. */
export function answerLines(asked: AskedCall | undefined, decision: Decision | undefined): string[] {
  const { reason, note, answers = [], approvedInput, content } = answerParts(asked, decision)
  return [
    ...answers.flatMap(({ question, answer }) => labelled(`answer to ${oneLine(question)}`, answer)),
    ...(asked && approvedInput
      ? ['approved as edited:', ...inputChange(asked, approvedInput).map((line) => `  ${line}`)]
      : []),
    ...(content ? labelled('filled in', JSON.stringify(content)) : []),
    ...(reason === undefined ? [] : labelled('reason', reason)),
    ...(note === undefined ? [] : labelled('note', note)),
  ]
}

/** The same in a few words, for a table. */
export function answerInLine(asked: AskedCall, decision: Decision | undefined): string {
  const { reason, answers = [], approvedInput, content } = answerParts(asked, decision)
  if (reason !== undefined) return ` (reason: ${oneLine(reason)})`
  if (answers.length > 0) return ` → ${answers.map(({ answer }) => oneLine(answer)).join('; ')}`
  const run = approvedInput?.['command'] ?? approvedInput ?? content
  return run === undefined ? '' : ` → ${oneLine(typeof run === 'string' ? run : JSON.stringify(run))}`
}

function chosenIn({ answers }: Readonly<Record<string, unknown>>): { question: string; answer: string }[] {
  if (typeof answers !== 'object' || answers === null) return []
  return Object.entries(answers).map(([question, answer]) => ({ question, answer: String(answer) }))
}

function labelled(label: string, text: string): string[] {
  const [first = '', ...more] = visibleText(text).split('\n')
  return [`${label}: ${first}`, ...more.map((line) => `  ${line}`)]
}

/** A question that was settled, or the event of it. */
export interface Settled extends EndedQuestion, Pick<EventOf<'approval.settled'>, 'by'> {}

/** What became of a question that was on this screen. Most ends without an answer are not a no of a person. Pure. */
export function settledLine(
  id: string,
  settled: Settled,
  { at, isOwn, asked }: { readonly at: number; readonly isOwn: boolean; readonly asked?: AskedCall },
): string {
  const time = clockTime(at)
  const { by, via } = settled
  const status = endOf(settled)
  const meaning = endMeaning(status)
  if (meaning !== undefined) {
    const verb = status === 'expired' ? status : `was ${status}`
    return `= ${id} ${verb}${isOwn ? ' by you' : ''} at ${time}: ${meaning}`
  }
  const end = endWords(asked, settled)
  if (isOwn) return `= ${id} ${end} by you at ${time}`
  const way = via === undefined ? '' : ` (${viaWords(via)})`
  return `= ${id} was settled elsewhere: ${end} by ${by === undefined ? 'a rule' : oneLine(by)}${way} at ${time}`
}
