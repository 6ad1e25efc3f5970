import type { Question } from '../../approvals/question.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { visibleText } from '../../text/visible-text.ts'
import { isPlainWord, oneLine, shortFolder, span } from './session-words.ts'
import { iso } from './session-views.ts'

/** The id that a person types; the whole id where the name of the session is nothing to paste into a shell. */
export function questionId({ shortId, id }: Pick<PendingQuestion, 'shortId' | 'id'>): string {
  return shortId !== undefined && isPlainWord(shortId) ? shortId : id
}

/** What it asks, in one line: `web wants to run: touch x`. */
export function questionLine(question: PendingQuestion): string {
  const { kind, toolName, input } = question
  const text = (field: string) => textIn(input, field)
  if (kind === 'plan') return 'has a plan'
  if (kind === 'question') return `asks: ${oneLine(question.questions[0]?.question ?? '')}`
  if (kind === 'form') return `${oneLine(toolName)} asks: ${text('message') ?? ''}`
  if (toolName === 'Bash') return `wants to run: ${text('command') ?? ''}`
  const subject = text('file_path') ?? text('url') ?? text('pattern') ?? text('path')
  return `wants to use ${oneLine(toolName)}${subject === undefined ? '' : `: ${subject}`}`
}

/** Exactly what would happen, in lines: a command, the change of a file, a plan, questions with their options. */
export function exactLines({ kind, toolName, input, questions }: PendingQuestion): string[] {
  if (kind === 'question')
    return questions.flatMap(({ question, options, descriptions }) => [
      ...linesOf(question),
      ...options.map((option, at) => `  ${at + 1}. ${described(option, descriptions?.[at])}`),
    ])
  if (kind === 'plan' && typeof input['plan'] === 'string') return linesOf(input['plan'])
  const { command, content, old_string: before, new_string: after } = input
  if (toolName === 'Bash' && typeof command === 'string') return linesOf(command)
  if (toolName === 'Edit' && typeof before === 'string' && typeof after === 'string')
    return [fileLine(input), ...marked('-', before), ...marked('+', after)]
  if (toolName === 'Write' && typeof content === 'string') return [fileLine(input), ...marked('+', content)]
  return linesOf(JSON.stringify(input, null, 2))
}

function described(option: string, description: string | undefined): string {
  return oneLine(description ? `${option}: ${description}` : option)
}

function fileLine(input: PendingQuestion['input']): string {
  return textIn(input, 'file_path') ?? ''
}

function textIn(input: PendingQuestion['input'], field: string): string | undefined {
  const value = input[field]
  return typeof value === 'string' ? oneLine(value) : undefined
}

function marked(mark: string, text: string): string[] {
  return linesOf(text).map((line) => `${mark} ${line}`)
}

function linesOf(text: string): string[] {
  return visibleText(text).split('\n')
}

/** The number of an option stands for it. */
export function optionOf(question: Pick<Question, 'options'> | undefined, text: string): string {
  const number = /^[1-9]\d?$/.test(text) ? Number(text) : Number.NaN
  return question?.options[number - 1] ?? text
}

export interface CardOptions {
  readonly now: number
  readonly homeFolder: string | undefined
  /** Lines of what would happen; more are counted. */
  readonly most: number
}

/** A question as a person decides on it: one sentence first, the exact text below. */
export function questionCard(question: PendingQuestion, { now, homeFolder, most }: CardOptions): string[] {
  const { cwd, openedAt, expiresAt } = question
  const exact = exactLines(question)
  const shown = exact.slice(0, most)
  const rest = exact.length - shown.length
  const facts = [
    `${span(now - openedAt)} ago`,
    ...(cwd === undefined ? [] : [`in ${shortFolder(cwd, homeFolder)}`]),
    ...(expiresAt === undefined ? [] : [`denied in ${span(expiresAt - now)}`]),
  ]
  return [
    `${questionId(question)}  ${questionLine(question)}`,
    ...shown.map((line) => `    ${line}`),
    ...(rest > 0 ? [`    … ${rest} more lines: plexus show ${questionId(question)}`] : []),
    `    ${facts.join(', ')}`,
  ]
}

/** The documented form of a question in `--json`; fields are only ever added. */
export function questionJson(question: PendingQuestion): object {
  const { id, shortId, sessionId, kind, toolName, input, inputSha256, cwd, status, by, via } = question
  const { openedAt, settledAt, expiresAt, questions, suggestedRules, delivery } = question
  return {
    id,
    ...(shortId === undefined ? {} : { shortId }),
    sessionId,
    kind,
    toolName,
    input,
    inputSha256,
    questions,
    suggestedRules,
    ...(cwd === undefined ? {} : { cwd }),
    status,
    delivery,
    ...(by === undefined ? {} : { by }),
    ...(via === undefined ? {} : { via }),
    openedAt: iso(openedAt),
    ...(settledAt === undefined ? {} : { settledAt: iso(settledAt) }),
    ...(expiresAt === undefined ? {} : { expiresAt: iso(expiresAt) }),
  }
}
