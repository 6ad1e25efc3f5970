import { z } from 'zod'
import type { Engine, PendingQuestion, Who } from '../engine/engine.ts'
import { AppError } from '../errors.ts'
import { answerFrom, declined } from './question-form.ts'

/** What a client's person did with a form. */
const Filled = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.unknown().optional(),
})

/**
 * Answers a question as the person who was shown it has filled in the form. Who cancels, or fills in what does not fit, has
 * not answered: the question stays. Returns what the caller should be told, if there is anything.
 */
export async function takeAnswer(
  engine: Engine,
  who: Who,
  asked: PendingQuestion,
  filled: unknown,
): Promise<string | undefined> {
  const form = Filled.safeParse(filled)
  if (!form.success) return MISFIT
  const { action, content } = form.data
  if (action === 'cancel') return undefined
  const answer = action === 'decline' ? declined(asked) : answerFrom(asked, content)
  if (!answer) return MISFIT
  try {
    await engine.answer(who, { approvalId: asked.id, sessionId: asked.sessionId, ...answer })
    return undefined
  } catch (error) {
    if (error instanceof AppError) return `The answer of the person did not count: ${error.message}`
    throw error
  }
}

const MISFIT = 'What the person filled in does not fit the question, which still waits for an answer.'
