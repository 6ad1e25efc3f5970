import type { Answer } from '../../approvals/answer.ts'
import type { Answered } from '../../approvals/approval.ts'
import type { SettledIn } from '../../approvals/desk-sessions.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { AppError } from '../../base/errors.ts'
import { type AnswerDeps, type ApprovalRef, requireAnswerable } from './answer-question.ts'

/** One of several questions, the answer to it, and the hash of what the answerer was shown. */
export type OneOfAll = ApprovalRef & Answer & { readonly inputSha256: string }

/** Settles questions in one commit: all of them or, if one answer is refused, none. The error names that question. */
export async function answerAll(
  deps: AnswerDeps,
  caller: Caller,
  questions: readonly OneOfAll[],
): Promise<Answered[]> {
  const names = new Map<string, string>()
  const prepared: SettledIn[] = []
  for (const { approvalId, sessionId, ...answer } of questions) {
    const next = await prepare(deps, caller, { approvalId, sessionId }, answer).catch((error: unknown) => {
      throw namingError(error, approvalId, questions.length)
    })
    const { approvalId: id } = next.settled
    if (names.has(id)) throw new AppError('invalid_input', `${approvalId} is given twice; give it once.`)
    names.set(id, approvalId)
    prepared.push(next)
  }
  return deps.desk.answerAll(prepared).catch((error: unknown) => {
    throw namingError(error, names.get(settledIdIn(error) ?? ''), questions.length)
  })
}

async function prepare(
  deps: AnswerDeps,
  caller: Caller,
  named: ApprovalRef,
  answer: Answer,
): Promise<SettledIn> {
  const { approval, source } = await requireAnswerable(deps, caller, named, answer)
  return deps.desk.prepare(approval, answer, caller.name, source)
}

/** Says which of several questions kept all from being answered. */
function namingError(error: unknown, name: string | undefined, count: number): unknown {
  if (!(error instanceof AppError) || name === undefined || count === 1) return error
  const message = `None of the ${count} questions was answered, because of ${name}: ${error.message}`
  return new AppError(error.code, message, { data: { ...error.data, approvalId: name }, cause: error })
}

/** The question in an error `already_settled`, which a store throws for the first that another answer has settled. */
function settledIdIn(error: unknown): string | undefined {
  const approval = error instanceof AppError ? error.data?.['approval'] : undefined
  return typeof approval === 'object' && approval && 'id' in approval ? String(approval.id) : undefined
}
