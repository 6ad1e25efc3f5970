import type { PendingQuestion } from '../../engine/engine.ts'
import type { ClientHub } from '../command.ts'
import type { TerminalLook } from '../terminal/terminal-look.ts'
import { paintedCard, questionCard } from '../views/question-cards.ts'

interface CardDeps {
  readonly client: ClientHub
  readonly homeFolder: string | undefined
  readonly look: TerminalLook
}

/** The card of a question, with what the call would change. */
export function wholeCard(deps: CardDeps, question: PendingQuestion): Promise<string[]> {
  return cardOf(deps, question, Number.POSITIVE_INFINITY)
}

/** As much of it as fits on the screen with the footer below it. */
export function fittingCard(deps: CardDeps, question: PendingQuestion): Promise<string[]> {
  return cardOf(deps, question, Math.max(MIN_ROWS, (process.stderr.rows || 24) - FOOTER_ROWS))
}

async function cardOf(
  { client, homeFolder, look }: CardDeps,
  question: PendingQuestion,
  most: number,
): Promise<string[]> {
  const { engine, context } = client
  const change = await engine.previewChange(context, { approvalId: question.id }).catch(() => undefined)
  const columns = most === Number.POSITIVE_INFINITY ? undefined : (process.stderr.columns || 80) - 2
  const more = look.isPlain ? 'view all' : '[v] shows all'
  const options = { now: Date.now(), homeFolder, most, change, columns, more, encode: look.encode }
  return paintedCard(questionCard(question, options), change ? look.style : undefined)
}

const MIN_ROWS = 5
const FOOTER_ROWS = 12
