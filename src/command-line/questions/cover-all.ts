import { AppError } from '../../base/errors.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { ClientHub, CommandCall } from '../command.ts'
import { askYesOrNo } from '../terminal/ask-person.ts'
import { questionId, questionLine } from '../views/question-views.ts'

export interface Coverage {
  /** Such as `allow`. */
  readonly verb: string
  /** Whether such an answer fits the question. */
  readonly fits: (question: PendingQuestion) => boolean
}

/**
 * The questions that `--all` covers, as they were listed. They are shown, a line each; then the person is asked or, where nobody
 * can be asked, their number must have been given. Undefined if the person does not want it.
 */
export async function coverAll(
  { engine, context }: ClientHub,
  { args: [sessionId, ...rest], flags, out }: Pick<CommandCall, 'args' | 'flags' | 'out'>,
  { verb, fits }: Coverage,
): Promise<readonly PendingQuestion[] | undefined> {
  if (rest.length > 0) throw new AppError('invalid_input', '--all takes one session, or none for all.')
  const expected = countIn(flags.text('expect'))
  const open = await engine.pending(context, sessionId === undefined ? {} : { sessionId })
  const covered = open.filter(fits)
  for (const question of open)
    out.say(`${fits(question) ? ' ' : '-'} ${questionId(question)}  ${questionLine(question)}`)
  if (covered.length < open.length) out.say('  Those with - ask for a choice and are left open.')
  if (expected !== undefined && expected !== covered.length)
    throw new AppError(
      'changed',
      `You expect ${expected}, and there are ${covered.length}, so nothing was answered.`,
    )
  if (covered.length === 0) {
    out.say('Nothing waits for such an answer.')
    return []
  }
  if (flags.isSet('yes')) {
    if (expected !== undefined) return covered
    throw new AppError('invalid_input', `--yes needs --expect N, the number of questions that you have seen.`)
  }
  if (!out.mayPrompt)
    throw new AppError(
      'invalid_input',
      `Nobody can be asked here: plexus ${verb} --all --yes --expect ${covered.length} answers what is listed above.`,
    )
  const what = covered.length === 1 ? 'it' : `all ${covered.length}`
  return (await askYesOrNo(`${verb} ${what}?`)) ? covered : undefined
}

function countIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new AppError('invalid_input', '--expect must be a whole number.')
}
