import { z } from 'zod'
import type { Engine, PendingQuestion } from '../../engine/engine.ts'
import { AppError } from '../../base/errors.ts'
import { type FormPlace, isQuick } from './form-place.ts'
import { answerFrom, declined } from './question-form.ts'

/** What came back for a form. */
const Filled = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.unknown().optional(),
})

export interface Taken {
  /** Whether it is the answer to the question. */
  readonly counts: boolean
  /** What the caller should know. */
  readonly note?: string
}

/**
 * Answers a question as the form that was put for it has come back, so many milliseconds later. Who cancels, or fills in
 * what does not fit, has not answered: the question stays. A decline within a second is nobody's; an accept within a second
 * is the client's own.
 */
export async function takeAnswer(
  engine: Engine,
  place: FormPlace,
  { asked, filled, tookMs }: { asked: PendingQuestion; filled: unknown; tookMs: number },
): Promise<Taken> {
  const form = Filled.safeParse(filled)
  if (!form.success) return MISFIT
  const { action, content } = form.data
  if (action === 'cancel') return { counts: false }
  const quick = isQuick(tookMs)
  if (action === 'decline' && quick) {
    place.turnOff()
    return NOBODY
  }
  const answer = action === 'decline' ? declined(asked) : answerFrom(asked, content)
  if (!answer) return MISFIT
  try {
    const who = { caller: place.answererAfter(tookMs) }
    await engine.answer(who, { approvalId: asked.id, sessionId: asked.sessionId, ...answer })
    return { counts: true }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const whose = quick ? QUICK : 'The answer of the person did not count:'
    return { counts: false, note: `${whose} ${error.message}` }
  }
}

const QUICK =
  "The form came back within a second, so that is the client's answer and not a person's, and it did not count:"
const NOBODY: Taken = {
  counts: false,
  note: 'The client declined the form within a second, so no person has read it. The question still waits, and this connection is given no more forms until it connects anew.',
}
const MISFIT: Taken = {
  counts: false,
  note: 'What the person filled in does not fit the question, which still waits for an answer.',
}
