import type { PendingQuestion } from '../../engine/engine.ts'
import { wordLines } from '../../text/word-lines.ts'
import type { Output } from '../output.ts'
import { aliasLine } from '../views/own-command.ts'
import { questionId, questionLine } from '../views/question-views.ts'
import { exactLines } from '../views/edited-input.ts'

/** Wider lines are hard to read. */
const MAX_COLUMNS = 78

/** What the tour itself says, between the lines of the session. */
export class TourText {
  readonly #out: Output

  constructor(out: Output) {
    this.#out = out
  }

  title(text: string): void {
    this.gap()
    this.strong(text)
  }

  strong(text: string): void {
    this.lines(this.#out.style('strong', text))
  }

  say(...sentences: readonly string[]): void {
    const columns = Math.min(this.#out.columns, MAX_COLUMNS)
    for (const sentence of sentences) this.lines(...wordLines(sentence, columns))
  }

  result(isGood: boolean, sentence: string): void {
    const columns = Math.min(this.#out.columns, MAX_COLUMNS)
    this.lines(
      ...wordLines(sentence, columns).map((line) => this.#out.style(isGood ? 'good' : 'attention', line)),
    )
  }

  lines(...lines: readonly string[]): void {
    for (const line of lines) this.#out.line(line)
  }

  gap(): void {
    this.lines('')
  }
}

/** A question without its times; a command is whole in the first line. */
export function plainCard(question: PendingQuestion): string[] {
  const exact = question.toolName === 'Bash' ? [] : exactLines(question)
  return [`${questionId(question)}  ${questionLine(question)}`, ...exact.map((line) => `    ${line}`)]
}

export function openingLines(version: string, mayPrompt: boolean): string[] {
  return [
    'Plexus runs Claude Code sessions. Nothing happens that nobody answered for.',
    `This is the real Claude Code ${version}, with a hub of its own.`,
    'The model is a script: no account, and nothing leaves this machine.',
    mayPrompt
      ? 'You answer by keys. Ctrl-C ends the tour at any time.'
      : 'Nobody is at a terminal, so the tour allows each step by itself.',
  ]
}

/** What was seen. */
export const SEEN: readonly string[] = [
  'Each command, edit, question and plan stopped until it was answered.',
  'A yes runs exactly what was shown; a no leaves everything as it was.',
  'A hub that is killed loses nothing: sessions and questions outlive it.',
]

/** What to type next; `plexus` is how this program is started here. */
export function nextLines(plexus: string): string[] {
  return [
    'What to type next:',
    ...(plexus === 'plexus' ? [] : [`  ${aliasLine(plexus)}`]),
    '  plexus install claude-code',
    '  plexus start "Fix the failing test"',
  ]
}
