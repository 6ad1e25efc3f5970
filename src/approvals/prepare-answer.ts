import { randomUUID } from 'node:crypto'
import { type ApprovalKey, GrantId } from '../base/ids.ts'
import { AppError } from '../base/errors.ts'
import { definedFields } from '../base/defined-fields.ts'
import type { Decision } from '../events/decision.ts'
import type { Rule } from '../rules/rule.ts'
import { alreadySettledError } from './already-settled-error.ts'
import { type Answer, decisionFrom, endBy, statusOf } from './answer.ts'
import type { Approval } from './approval.ts'
import type { DeskSessions, Settled, SettledIn } from './desk-sessions.ts'
import { isExplained } from './ends/model-sentences.ts'
import { floodChoice } from './floods/flood-question.ts'
import { type Remember, rulesToGrant, scopeOf } from './grants/remember.ts'

export interface AnswerDeps {
  readonly sessions: Pick<DeskSessions, 'questionsOf'>
  readonly now: () => number
  /** When a caller first got the question. */
  readonly shownAt: (approvalId: ApprovalKey) => number | undefined
  /** For how long a call that was denied without a reason is denied again without asking; 0 is never. */
  readonly repeatDeniedMs?: number | undefined
  /** The rule that a question offers under this id. */
  readonly offeredRule?:
    | ((approval: Approval, id: string) => Promise<Rule | undefined> | Rule | undefined)
    | undefined
}

/** The level and the way of an answer, and its caller. */
export type AnswerSource = Pick<Settled, 'level' | 'via' | 'caller'>

/** For a call that was denied without a reason. */
export const REPEAT_DENIED_MS = 60_000

/** Checks an answer; nothing has happened yet. */
export async function prepareAnswer(
  deps: AnswerDeps,
  approval: Approval,
  { answer, by, from }: { readonly answer: Answer; readonly by: string; readonly from: AnswerSource },
): Promise<SettledIn> {
  if (approval.status !== 'pending') throw alreadySettledError(approval)
  const flood = approval.flood && floodChoice(answer)
  const decision = decisionFrom(approval, answer)
  if (decision.behavior === 'allow') {
    await requireNotForbidden(deps, approval, decision.updatedInput)
    if (decision.message !== undefined) await requireNote(deps, approval)
  }
  const remembered = answer.remember && (await toRemember(deps, approval, answer.remember, answer))
  const { id: approvalId, sessionId } = approval
  const status = statusOf(decision)
  const shownAt = deps.shownAt(approvalId)
  const end = endBy(decision, answer)
  const repeatsUntil = repeatsUntilAfter(deps, approval, decision, answer)
  const more = definedFields({
    ...from,
    shownAt,
    remembered,
    end,
    repeatsUntil,
    flood,
    carrier: carrierOf(approval),
  })
  return {
    sessionId,
    settled: { approvalId, status, decision, by, ...more },
  }
}

/** A denial that gives no reason also counts for the same call, for a while. */
function repeatsUntilAfter(
  { repeatDeniedMs = REPEAT_DENIED_MS, now }: AnswerDeps,
  { kind }: Approval,
  { behavior }: Decision,
  { message }: Answer,
): number | undefined {
  const counts = kind === 'tool' && behavior === 'deny' && repeatDeniedMs > 0 && !isExplained(message)
  return counts ? now() + repeatDeniedMs : undefined
}

/** The rules may have changed since it was asked, and an answerer may change the input. */
async function requireNotForbidden(
  { sessions }: AnswerDeps,
  approval: Approval,
  input: Approval['input'],
): Promise<void> {
  if (approval.kind !== 'tool') return
  const questions = await sessions.questionsOf(approval.sessionId)
  const verdict = questions.forbiddenBy({ ...approval, input })
  if (!verdict) return
  throw new AppError(
    'forbidden',
    `The rule ${verdict.ruleId ?? ''} forbids this (${verdict.because ?? ''}), and no answer overrides it; deny the question, or change the rule.`,
  )
}

/** Refuses a message that nobody would read, because the answerer relies on it. */
async function requireNote({ sessions }: AnswerDeps, approval: Approval): Promise<void> {
  const { sessionId, toolUseId } = approval
  if (toolUseId !== undefined && (await sessions.questionsOf(sessionId)).takesNotes) return
  throw new AppError(
    'invalid_input',
    'The process that asks cannot be given a message with a yes (somebody else or an earlier Plexus started it); leave out message, or say it as a prompt.',
  )
}

/** What is remembered with an answer: only what was tried on the very call, and would decide it. */
async function toRemember(
  { sessions, offeredRule }: AnswerDeps,
  approval: Approval,
  remember: Remember,
  { rememberSeconds: seconds, rememberRule: ruleId }: Answer,
): Promise<NonNullable<Settled['remembered']>> {
  const questions = await sessions.questionsOf(approval.sessionId)
  const { scopePlace } = questions
  if (remember === 'turn' && scopePlace.turn === undefined)
    throw notRemembered('no turn of its session runs now; use remember "session", or leave it out')
  const offered = ruleId === undefined ? undefined : await offeredRule?.(approval, ruleId)
  if (ruleId !== undefined && offered?.effect !== 'allow')
    throw notRemembered('this question offers no such rule; read the question again')
  const id = GrantId.parse(randomUUID())
  const endsAt = seconds === undefined ? undefined : questions.hubTime() + seconds * 1_000
  const rules = rulesToGrant(approval, scopePlace, { id, remember, endsAt, offered })
  if (!rules) throw notRemembered('Plexus does not know in which folder it would run; leave out remember')
  const despite = questions.askedDespite(approval, rules)
  if (despite === undefined) return { id, scope: scopeOf(remember), rules, ...definedFields({ endsAt }) }
  throw notRemembered(`${despite}; leave out remember`)
}

/** Kept with what was decided, because it is shown to fewer callers. */
function carrierOf({ carrier }: Approval): 'terminal' | undefined {
  return carrier === 'terminal' ? carrier : undefined
}

function notRemembered(why: string): AppError {
  return new AppError('invalid_input', `This cannot be remembered, because ${why}.`)
}
