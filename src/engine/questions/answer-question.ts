import { recordedCaller } from '../../audit/recorded-caller.ts'
import type { ApprovalKey, SessionKey } from '../../base/ids.ts'
import type { Answer } from '../../approvals/answer.ts'
import { alreadySettledError } from '../../approvals/already-settled-error.ts'
import type { Answered, Approval } from '../../approvals/approval.ts'
import { type Desk, noSuchQuestionError } from '../../approvals/desk.ts'
import type { AnswerSource } from '../../approvals/prepare-answer.ts'
import { isWide } from '../../approvals/grants/grant.ts'
import { type Remember, scopeOf } from '../../approvals/grants/remember.ts'
import { type Caller, mayRememberWidely } from '../../callers/access-rules.ts'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { ancestorIds, callingSession, requireMode, requireSession } from '../access/session-access.ts'
import { requireAnswererOfRule } from '../access/rule-answerers.ts'
import { requireOwnPermission } from '../access/remember-limits.ts'
import { grantsInSession } from '../grants/grants-in-session.ts'
import { requireShown } from './held-back.ts'
import { partsOfShortId } from '../../approvals/short-id.ts'
import { isHidden } from '../access/terminal-questions.ts'
import { levelOf } from '../access/responsible-session.ts'
import { WHERE_A_PERSON_ANSWERS } from '../access/ask-target.ts'

export interface AnswerDeps {
  readonly store: Store
  readonly desk: Desk
}

export interface ApprovalRef {
  readonly approvalId: ApprovalKey
  readonly sessionId?: SessionKey | undefined
}

/** Settles a question, if the caller may answer it. */
export async function answerQuestion(
  deps: AnswerDeps,
  caller: Caller,
  named: ApprovalRef,
  answer: Answer,
): Promise<Answered> {
  const { approval, source } = await requireAnswerable(deps, caller, named, answer)
  return deps.desk.answer(approval, answer, caller.name, source)
}

/** An open question that the caller may answer so: never its own, and never as a model where a person is required. */
export async function requireAnswerable(
  deps: AnswerDeps,
  caller: Caller,
  named: ApprovalRef,
  answer: Answer,
): Promise<{ approval: Approval; source: AnswerSource }> {
  const { store } = deps
  const { approval, session } = await findQuestion(deps, caller, named)
  if (approval.status !== 'pending') throw alreadySettledError(approval)
  // A session spends from the budgets of its tree, so it answers about none, also not below itself.
  if (approval.kind === 'budget' && caller.kind === 'session')
    throw new AppError(
      'forbidden',
      'A session may not answer about a budget; that is for the caller who started the tree.',
    )
  if (session.answerers === 'person' && !caller.person)
    throw new AppError('forbidden', `Only a person may answer for this session: ${WHERE_A_PERSON_ANSWERS}.`)
  requireAnswererOfRule(approval, caller)
  await requireShown(store, caller, approval, answer)
  // A mode given with an answer needs the same rights as a change of mode.
  if (answer.permissionMode !== undefined) await requireMode(store, caller, answer.permissionMode)
  if (answer.remember !== undefined) requireScope(caller, answer.remember)
  if (caller.kind === 'session') {
    const own = {
      session: await callingSession(store, caller),
      grants: await grantsInSession(store, await callingSession(store, caller)),
    }
    requireOwnPermission(own, approval, answer)
  }
  const level = levelOf(caller, await ancestorIds(store, session.parentId))
  return { approval, source: { level, via: caller.via, caller: recordedCaller(caller) } }
}

/** What holds for more than one session, a person has chosen. */
function requireScope(caller: Caller, remember: Remember): void {
  if (!isWide({ scope: scopeOf(remember) }) || mayRememberWidely(caller)) return
  throw new AppError(
    'forbidden',
    'Only a person, with the rights of the operator or on a device, remembers an answer for more than its session; use remember "session" or "turn", or leave it out.',
  )
}

/** A question that the caller may answer (or read), and the session that asks it. */
export async function findQuestion(
  { store, desk }: AnswerDeps,
  caller: Caller,
  { approvalId, sessionId }: ApprovalRef,
  verb: 'answer' | 'read' = 'answer',
): Promise<{ approval: Approval; session: Session }> {
  const named = sessionId === undefined ? undefined : await requireSession(store, caller, verb, sessionId)
  const approval =
    (await questionByShortId(store, caller, approvalId)) ?? (await desk.find(approvalId, named?.id))
  if (named && approval.sessionId !== named.id) throw noSuchQuestionError(approvalId)
  if (isHidden(approval, caller)) throw noSuchQuestionError(approvalId)
  return { approval, session: named ?? (await askingSession(store, caller, approval, verb)) }
}

/** `NAME.N`. If the caller may not see the session, there is no such question, whatever else has that id. */
async function questionByShortId(store: Store, caller: Caller, text: string): Promise<Approval | undefined> {
  const parts = partsOfShortId(text)
  if (!parts) return undefined
  const session = await requireSession(store, caller, 'read', parts.session).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? noSuchQuestionError(text) : error
  })
  return store.approvals.ofNumber(session.id, parts.number)
}

/** A caller who may not read the session gets the same error as for an unknown question, so that no id leaks. */
function askingSession(store: Store, caller: Caller, { id, sessionId }: Approval, verb: 'answer' | 'read') {
  return requireSession(store, caller, verb, sessionId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? noSuchQuestionError(id) : error
  })
}
