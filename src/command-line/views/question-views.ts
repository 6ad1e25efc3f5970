import { useText } from '../../budgets/budget.ts'
import { useIn } from '../../budgets/budget-question.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { isPlainWord, oneLine, shortFolder, span, textIn } from './session-words.ts'

/** The id that a person types; the whole id where the name of the session is nothing to paste into a shell. */
export function questionId({ shortId, id }: Pick<PendingQuestion, 'shortId' | 'id'>): string {
  return shortId !== undefined && isPlainWord(shortId) ? shortId : id
}

type AskedQuestion = Pick<PendingQuestion, 'kind' | 'toolName' | 'input' | 'questions'>

/** What it asks, in one line: `web wants to run: touch x`. */
export function questionLine(question: AskedQuestion, homeFolder?: string): string {
  const { kind, toolName, input } = question
  const text = (field: string) => textIn(input, field)
  if (kind === 'plan') return 'has a plan'
  if (kind === 'question') return `asks: ${oneLine(question.questions[0]?.question ?? '')}`
  if (kind === 'budget') return `has used ${useText(useIn(input))}`
  if (kind === 'form') return `${oneLine(toolName)} asks: ${text('message') ?? ''}`
  if (toolName === 'Bash') return `wants to run: ${text('command') ?? ''}`
  const path = text('file_path')
  const file = path === undefined ? undefined : shortFolder(path, homeFolder)
  if (toolName === 'Edit' || toolName === 'Write') return `wants to ${toolName.toLowerCase()}: ${file ?? ''}`
  const subject = file ?? text('url') ?? text('pattern') ?? text('path')
  return `wants to use ${oneLine(toolName)}${subject === undefined ? '' : `: ${subject}`}`
}

/** The same of a call that was answered: the command, or what is done to which file. */
export function callLine(question: AskedQuestion, homeFolder?: string): string {
  return questionLine(question, homeFolder).replace(/^wants to (?:run: )?/, '')
}

export interface TimeLeft {
  readonly text: string
  /** Most of its time is over. */
  readonly isShort: boolean
}

/** How long a question still waits before it is denied; undefined if it waits for ever. */
export function timeLeft(
  { expiresAt }: PendingQuestion,
  timeoutMs: number,
  now: number,
): TimeLeft | undefined {
  if (expiresAt === undefined) return undefined
  const left = expiresAt - now
  const isShort = left <= timeoutMs * SHORT
  return { text: isShort ? `EXPIRES in ${span(left)}` : `expires in ${span(left)}`, isShort }
}

const SHORT = 0.2
