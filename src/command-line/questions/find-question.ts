import { AppError } from '../../base/errors.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { ClientHub } from '../command.ts'
import { questionId } from '../views/question-views.ts'
import { waitsThere } from '../views/session-words.ts'

/** The question that a person means: by its id, or by a session that has only one open. */
export async function findQuestion({ engine, context }: ClientHub, text: string): Promise<PendingQuestion> {
  try {
    return await engine.getApproval(context, { approvalId: text })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    const open = await engine.pending(context, { sessionId: text }).catch(() => {
      throw new AppError(
        'not_found',
        `There is no question ${text}; plexus pending lists those that are open.`,
      )
    })
    if (open.length === 0) throw await nothingOpen({ engine, context }, text)
    return onlyOpen(text, open)
  }
}

async function nothingOpen({ engine, context }: Pick<ClientHub, 'engine' | 'context'>, text: string) {
  const session = await engine.getSession(context, { sessionId: text }).catch(() => undefined)
  const there = session && waitsThere(session, 0)
  return new AppError(
    'not_found',
    `${text} has no open question${there === undefined ? '' : ` here; it ${there}`}.`,
  )
}

/** Pure. Never one of several: the person may have another in mind. */
function onlyOpen(text: string, open: readonly PendingQuestion[]): PendingQuestion {
  const [first, ...others] = open
  if (first && others.length === 0) return first
  const ids = open.map((question) => questionId(question)).join(', ')
  throw new AppError('invalid_input', `${text} has ${open.length} open questions; say which: ${ids}.`)
}
