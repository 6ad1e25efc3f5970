import type { PendingQuestion } from '../../engine/engine.ts'
import { lineChanges } from '../../text/line-changes.ts'
import { type AskedCall, answerParts } from './answer-lines.ts'
import { cut, wrapped } from './columns.ts'
import { exactLines } from './edited-input.ts'
import { questionId, questionLine } from './question-views.ts'
import type { FileChange } from '../../preview/file-change.ts'
import { shortFolder, span, type Style } from './session-words.ts'
import { iso } from './session-views.ts'

export interface CardOptions {
  readonly now: number
  readonly homeFolder: string | undefined
  /** Rows of what would happen; more are counted. */
  readonly most: number
  /** What the call would do to its file, if that is known. */
  readonly change?: FileChange | undefined
  /** Longer lines are wrapped; by default the terminal does that. */
  readonly columns?: number | undefined
  /** How to see the rest. */
  readonly more?: string | undefined
  /** For a terminal that does not read UTF-8; before anything is wrapped. */
  readonly encode?: ((text: string) => string) | undefined
}

/** A question as a person decides on it: one sentence first, the exact text below. */
export function questionCard(question: PendingQuestion, options: CardOptions): string[] {
  const { most, change, columns = Number.POSITIVE_INFINITY, encode = (text) => text } = options
  const { more = `plexus show ${questionId(question)}` } = options
  const exact = (change ? change.lines : exactLines(question)).map(encode)
  const { rows, rest } = fittingRows(exact, most, columns - INDENT.length)
  const asks = questionLine(question, options.homeFolder)
  const sentence = `${questionId(question)}  ${asks}${change ? ` (${change.note})` : ''}`
  return [
    cut(encode(sentence), columns),
    ...rows.map((row) => INDENT + row),
    ...(rest > 0 ? [`${INDENT}… ${rest} more ${rest === 1 ? 'line' : 'lines'}: ${more}`] : []),
    cut(INDENT + encode(factsOf(question, options)), columns),
  ]
}

/** A card with colours for what a change removes and adds; without `style` there are none. */
export function paintedCard(
  lines: readonly string[],
  style: ((style: Style, text: string) => string) | undefined,
): string[] {
  const styles: Readonly<Record<string, Style>> = { '+': 'good', '-': 'bad', '@': 'faint' }
  return lines.map((line) => {
    const own = line.startsWith(INDENT) ? styles[line[INDENT.length] ?? ''] : undefined
    return style && own ? style(own, line) : line
  })
}

/** What a person has changed in the input, as a diff of what would happen. */
export function editedLines(question: PendingQuestion, edited: PendingQuestion['input']): string[] {
  const changes = lineChanges(exactLines(question), exactLines({ ...question, input: edited }))
  return [
    `${questionId(question)}  as you edited it:`,
    ...changes.map(({ mark, text }) => `${INDENT}${mark} ${text}`),
  ]
}

function fittingRows(
  lines: readonly string[],
  most: number,
  width: number,
): { rows: string[]; rest: number } {
  const rows: string[] = []
  for (const [at, line] of lines.entries()) {
    const left = most - rows.length
    if (left <= 0) return { rows, rest: lines.length - at }
    const own = wrapped(line, width, left + 1)
    rows.push(...own.slice(0, left))
    if (own.length > left) return { rows, rest: lines.length - at }
  }
  return { rows, rest: 0 }
}

function factsOf(question: PendingQuestion, { now, homeFolder }: CardOptions): string {
  const { cwd, openedAt, expiresAt, agentId, supersedes } = question
  return [
    `${span(now - openedAt)} ago`,
    ...(cwd === undefined ? [] : [`in ${shortFolder(cwd, homeFolder)}`]),
    ...(agentId === undefined ? [] : ['by a sub-agent']),
    ...(supersedes === undefined ? [] : ['asked again: it was withdrawn before']),
    ...(expiresAt === undefined ? [] : [`expires in ${span(expiresAt - now)}`]),
  ].join(', ')
}

const INDENT = '    '

/** What was answered, in `--json`: `approvedInput` is what ran in place of `input`. */
export function answerJson(asked: AskedCall, decision: PendingQuestion['decision']): object {
  const { answers, approvedInput, content } = answerParts(asked, decision)
  return {
    ...(decision && 'message' in decision ? { message: decision.message } : {}),
    ...(approvedInput ? { edited: true, approvedInput } : {}),
    ...(answers ? { answers } : {}),
    ...(content ? { content } : {}),
  }
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
    ...answerJson(question, question.decision),
    openedAt: iso(openedAt),
    ...(settledAt === undefined ? {} : { settledAt: iso(settledAt) }),
    ...(expiresAt === undefined ? {} : { expiresAt: iso(expiresAt) }),
  }
}
