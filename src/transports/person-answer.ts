import { z } from 'zod'
import type { Engine, PendingQuestion, Who } from '../engine/engine.ts'
import { AppError } from '../errors.ts'
import { answerFrom, declined } from './question-form.ts'

/** What a client's person did with a form. */
const Filled = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.unknown().optional(),
})

export interface Taken {
  /** Whether it is the answer to the question. */
  readonly counts: boolean
  /** What the caller should be told. */
  readonly note?: string
}

/**
 * Answers a question as the person who was shown it has filled in the form. Who cancels, or fills in what does not fit, has
 * not answered: the question stays.
 */
export async function takeAnswer(
  engine: Engine,
  who: Who,
  asked: PendingQuestion,
  filled: unknown,
): Promise<Taken> {
  const form = Filled.safeParse(filled)
  if (!form.success) return MISFIT
  const { action, content } = form.data
  if (action === 'cancel') return { counts: false }
  const answer = action === 'decline' ? declined(asked) : answerFrom(asked, content)
  if (!answer) return MISFIT
  try {
    await engine.answer(who, { approvalId: asked.id, sessionId: asked.sessionId, ...answer })
    return { counts: true }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { counts: false, note: `The answer of the person did not count: ${error.message}` }
  }
}

const MISFIT: Taken = {
  counts: false,
  note: 'What the person filled in does not fit the question, which still waits for an answer.',
}
