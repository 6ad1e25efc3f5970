import { z } from 'zod'
import type { Engine, PendingQuestion } from '../../engine/engine.ts'
import { AppError } from '../../base/errors.ts'
import { type FormPlace, isQuick } from './form-place.ts'
import { answerFrom, declined } from './question-form.ts'

const Filled = z.looseObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.unknown().optional(),
})

export interface Taken {
  /** True if the form has settled the question. */
  readonly counts: boolean
  /** A note for the caller. */
  readonly note?: string
}

/**
 * Answers a question with a returned form, `tookMs` after it was put. A cancelled form, or one whose content does not fit,
 * is no answer: the question stays open. A decline within a second comes from no person; an accept within a second is the
 * client's own answer.
 */
export async function takeAnswer(
  engine: Engine,
  place: FormPlace,
  { asked, filled, tookMs }: { asked: PendingQuestion; filled: unknown; tookMs: number },
): Promise<Taken> {
  const form = Filled.safeParse(filled)
  if (!form.success) return MISFIT
  const { action, content } = form.data
  // A declined form is a no; about a budget it would stop a whole tree, which a person must choose.
  if (action === 'cancel' || (action === 'decline' && asked.kind === 'budget')) return { counts: false }
  const quick = isQuick(tookMs)
  if (action === 'decline' && quick) {
    place.turnOff()
    return NOBODY
  }
  const answer = action === 'decline' ? declined(asked) : answerFrom(asked, content)
  if (!answer) return MISFIT
  try {
    const call = { caller: place.answererAfter(tookMs) }
    await engine.answer(call, { approvalId: asked.id, sessionId: asked.sessionId, ...answer })
    return { counts: true }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const whose = quick ? QUICK : "The person's answer had no effect:"
    return { counts: false, note: `${whose} ${error.message}` }
  }
}

const QUICK =
  "The form came back within a second, so it is the client's answer and not a person's, and it had no effect:"
const NOBODY: Taken = {
  counts: false,
  note: 'The client declined the form within a second, so no person has read it. The question still waits, and this connection gets no more forms until it connects anew.',
}
const MISFIT: Taken = {
  counts: false,
  note: 'What the person filled in does not fit the question, which still waits for an answer.',
}
