import type { ApprovalKey, CallerKey, SessionKey } from '../base/ids.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { definedFields } from '../base/defined-fields.ts'
import type { Decision } from '../events/decision.ts'
import type { EventOf, SessionEvent } from '../events/session-event.ts'
import type { Answer } from './answer.ts'
import type { Answered, Approval } from './approval.ts'
import type { ApprovalStore, PendingId } from './approval-store.ts'
import type { DeskSessions, Settled, SettledIn } from './desk-sessions.ts'
import { HeldLimits } from './floods/held-limits.ts'
import { expiredSentence, TOO_MANY } from './ends/model-sentences.ts'
import { Expiries } from './expiry.ts'
import { rememberedBy } from './grants/remember.ts'
import { type AnswerDeps, type AnswerSource, prepareAnswer } from './prepare-answer.ts'
import { type QuestionLimits, OpenQuestions, type Admission } from './question-limits.ts'

export interface DeskDeps extends Pick<AnswerDeps, 'repeatDeniedMs' | 'offeredRule'> {
  readonly approvals: ApprovalStore
  readonly sessions: DeskSessions
  readonly onError: (error: unknown) => void
  readonly clock?: Clock | undefined
  /** How many questions may be open at once. */
  readonly limits?: QuestionLimits | undefined
  /** Called for each question that is queued or refused. */
  readonly onLimit?:
    | ((session: AskingSession, admission: Exclude<Admission, { kind: 'open' }>) => void)
    | undefined
}

/** The fields of a session that matter for its questions. */
export interface AskingSession {
  readonly id: SessionKey
  readonly owner: CallerKey
  readonly timeoutMs: number
  /** How many questions about its budget are open. */
  readonly budgetQuestions?: number | undefined
  /** A person looks at its questions that are held back, one after the other. */
  readonly showsHeld?: boolean | undefined
}

/**
 * Settles all approvals; a child opens them by asking. The first answer wins, and later answers get an error that names the
 * winner. No answer means no: an approval with a time limit is denied when the limit is over. The limit counts while a hub
 * runs, by a clock that does not jump: after a restart it starts again, so nothing expires early. For a question that is held
 * back from a person it begins when that person is shown it.
 */
export class Desk {
  readonly #deps: DeskDeps
  readonly #clock: Clock
  readonly #answerDeps: AnswerDeps
  readonly #expiries: Expiries
  readonly #open: OpenQuestions
  readonly #held = new HeldLimits()
  readonly #queued = new Map<string, { readonly session: AskingSession; readonly isHeld: boolean }>()
  readonly #shown = new Map<string, number>()
  /** While `resume` is under way: what it has read of these is over. */
  #settledMeanwhile: Set<string> | undefined

  constructor(deps: DeskDeps) {
    this.#deps = deps
    this.#clock = deps.clock ?? systemClock
    this.#answerDeps = {
      ...deps,
      now: () => this.#clock.now(),
      shownAt: (approvalId) => this.#shown.get(approvalId),
    }
    this.#expiries = new Expiries(this.#clock, deps.onError)
    this.#open = new OpenQuestions(deps.limits)
  }

  async find(id: ApprovalKey, sessionId?: SessionKey): Promise<Approval> {
    const { approvals } = this.#deps
    const found =
      (await approvals.get(id)) ??
      (sessionId === undefined ? undefined : onlyPending(await approvals.ofToolUse(sessionId, id)))
    if (found && (sessionId === undefined || found.sessionId === sessionId)) return found
    throw noSuchQuestionError(id)
  }

  /** Settles the approval and returns it; if it is settled already, the error `already_settled` says by whom and how. */
  async answer(approval: Approval, answer: Answer, by: string, from?: AnswerSource): Promise<Answered> {
    const prepared = await this.prepare(approval, answer, by, from)
    await this.#deps.sessions.settle([prepared])
    return this.#answered(prepared)
  }

  /** Settles several approvals in one commit: all of them or, if one is settled already, none. */
  async answerAll(prepared: readonly SettledIn[]): Promise<Answered[]> {
    await this.#deps.sessions.settle(prepared)
    return Promise.all(prepared.map((one) => this.#answered(one)))
  }

  /** Checks an answer; nothing has happened yet. */
  prepare(approval: Approval, answer: Answer, by: string, from: AnswerSource = {}): Promise<SettledIn> {
    return prepareAnswer(this.#answerDeps, approval, { answer, by, from })
  }

  async #answered({ settled: { approvalId, remembered } }: SettledIn): Promise<Answered> {
    const settled = await this.find(approvalId)
    if (!remembered?.rules) return settled
    const { id: grantId, rules, scope, endsAt } = remembered
    return {
      ...settled,
      remembered: { ...rememberedBy(rules), ...definedFields({ grantId, scope, endsAt }) },
    }
  }

  /** Must get the stored events of every session, to enforce the limits of time and number. */
  watch(session: AskingSession, events: readonly SessionEvent[]): void {
    for (const event of events) {
      if (event.type === 'approval.opened') this.#noteOpened(session, event)
      if (event.type === 'approval.settled') {
        this.#forget(event.approvalId)
        this.#settledMeanwhile?.add(event.approvalId)
      }
    }
    this.#held.show(session.id, session.showsHeld === true)
    this.#limitShown(session.id)
  }

  #noteOpened(session: AskingSession, event: EventOf<'approval.opened'>): void {
    // The hub asks about budgets, a few times at most, and the work continues: no limit of number or time applies to those.
    if (event.kind === 'budget') return
    const { id, owner } = session
    if (event.flood) this.#held.stand(id, event.approvalId)
    else {
      // A terminal has its own dialog: silence here is no denial there.
      const isInTerminal = event.carrier === 'terminal'
      const timeoutMs = isInTerminal ? 0 : (event.verdict?.timeoutMs ?? session.timeoutMs)
      this.track(event.approvalId, { id, owner, timeoutMs }, bytesOf(event.input), event.held)
    }
    if (event.flood || event.held) this.#limitStanding(session)
  }

  /** The question that stands for what is held back needs no place. With each more of them its time begins anew. */
  #limitStanding({ id, timeoutMs }: AskingSession): void {
    const standing = this.#held.standingIn(id)
    if (standing === undefined || timeoutMs === 0) return
    if ((this.expiresAt(standing) ?? 0) < this.timeAfter(timeoutMs)) this.scheduleExpiry(standing, timeoutMs)
  }

  #limitShown(sessionId: SessionKey): void {
    const shown = this.#held.shownIn(sessionId)
    if (shown && shown.limitMs > 0 && this.expiresAt(shown.id) === undefined)
      this.scheduleExpiry(shown.id, shown.limitMs)
  }

  /** Counts an open question. Beyond a limit it is queued, so that a runaway child does not crowd out other questions. */
  track(approvalId: ApprovalKey, session: AskingSession, bytes: number, isHeld = false): void {
    const { id: sessionId, owner } = session
    const admission = this.#open.add(approvalId, { sessionId, owner, bytes })
    if (admission.kind === 'open') return this.#startTimeLimit(approvalId, session, isHeld)
    this.#deps.onLimit?.(session, admission)
    if (admission.kind === 'queued') this.#queued.set(approvalId, { session, isHeld })
    else this.#expiries.schedule(approvalId, 0, () => this.#refuse(approvalId))
  }

  /** A caller gets these questions now; the first time is kept until each is settled. */
  noteShown(asked: readonly Approval[]): void {
    for (const { id, status } of asked)
      if (status === 'pending' && !this.#shown.has(id)) this.#shown.set(id, this.#clock.now())
  }

  /** A queued question is not listed yet, and its time limit has not started. An answer to it still counts. */
  isQueued(approvalId: ApprovalKey): boolean {
    return this.#open.isQueued(approvalId)
  }

  #startTimeLimit(approvalId: ApprovalKey, { id, timeoutMs }: AskingSession, isHeld: boolean): void {
    if (isHeld) this.#held.hold(id, { id: approvalId, limitMs: timeoutMs })
    else if (timeoutMs > 0) this.scheduleExpiry(approvalId, timeoutMs)
  }

  /**
   * Tracks the questions that an earlier hub left open: there may be a thousand, of a few sessions, and each session is read
   * once. A question may be settled meanwhile, before it is tracked: it is not tracked then.
   */
  async resume(sessionOf: (sessionId: SessionKey) => Promise<AskingSession | undefined>): Promise<void> {
    const settled = (this.#settledMeanwhile = new Set<string>())
    try {
      await this.#resume(sessionOf, settled)
    } finally {
      this.#settledMeanwhile = undefined
    }
  }

  async #resume(
    sessionOf: (sessionId: SessionKey) => Promise<AskingSession | undefined>,
    settled: ReadonlySet<string>,
  ): Promise<void> {
    const { approvals } = this.#deps
    const sessions = new Map<SessionKey, AskingSession | undefined>()
    for (const question of await approvals.pendingIds()) {
      const { id, sessionId } = question
      if (!sessions.has(sessionId)) sessions.set(sessionId, await sessionOf(sessionId))
      const session = sessions.get(sessionId)
      const isBudget = session?.budgetQuestions && (await approvals.get(id))?.kind === 'budget'
      if (session && !isBudget && !settled.has(id)) this.#trackAgain(session, question)
    }
  }

  #trackAgain(session: AskingSession, { id, sessionId, bytes, held, flood, ...limit }: PendingId): void {
    const { owner, timeoutMs } = session
    if (flood) this.#held.stand(sessionId, id)
    else this.track(id, { id: sessionId, owner, timeoutMs: limit.timeoutMs ?? timeoutMs }, bytes, held)
    this.#held.show(sessionId, session.showsHeld === true)
    if (flood) this.#limitStanding(session)
    this.#limitShown(sessionId)
    if (limit.extendedUntil !== undefined) this.#keepExtension(id, limit.extendedUntil)
  }

  /** A restart starts the time limit again, and must not make it shorter than an answerer was promised. */
  #keepExtension(approvalId: ApprovalKey, until: number): void {
    const limit = this.expiresAt(approvalId)
    if (limit !== undefined && until > limit) this.scheduleExpiry(approvalId, until - this.#clock.now())
  }

  /** The time after so many ms, by the clock that the limits follow. */
  timeAfter(ms: number): number {
    return this.#clock.now() + ms
  }

  scheduleExpiry(approvalId: ApprovalKey, limitMs: number): void {
    this.#expiries.schedule(approvalId, limitMs, () => this.#expire(approvalId, limitMs))
  }

  /** When the question is denied without an answer, in ms since 1970; undefined if it waits for ever. */
  expiresAt(approvalId: ApprovalKey): number | undefined {
    return this.#expiries.timeOf(approvalId)
  }

  close(): void {
    this.#expiries.close()
  }

  async #expire(approvalId: ApprovalKey, limitMs: number): Promise<void> {
    const approval = await this.#deps.approvals.get(approvalId)
    if (!approval?.flood) return this.#deny(approvalId, 'expired', expiredSentence(limitMs))
    // It is withdrawn with the last of those that it stands for; those without a limit stay, and it with them.
    for (const id of this.#held.limitedIn(approval.sessionId))
      await this.#deny(id, 'expired', expiredSentence(limitMs))
    this.#expiries.cancel(approvalId)
  }

  #refuse(approvalId: ApprovalKey): Promise<void> {
    return this.#deny(approvalId, 'denied', TOO_MANY)
  }

  async #deny(approvalId: ApprovalKey, status: 'expired' | 'denied', message: string): Promise<void> {
    const approval = await this.#deps.approvals.get(approvalId)
    if (approval?.status !== 'pending') return
    if (approval.carrier === 'terminal') return this.#settle(approval.sessionId, leftToTerminal(approval))
    const decision: Decision =
      approval.kind === 'form' ? { behavior: 'form', action: 'cancel' } : { behavior: 'deny', message }
    const via = status === 'expired' ? 'expiry' : 'rule'
    const { sessionId } = approval
    const end = status === 'denied' ? { end: 'too many' as const } : {}
    await this.#settle(sessionId, { approvalId: approval.id, status, decision, via, ...end })
  }

  async #settle(sessionId: SessionKey, settled: Settled): Promise<void> {
    await this.#deps.sessions.settle([{ sessionId, settled }]).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'already_settled') throw error
    })
  }

  #forget(approvalId: ApprovalKey): void {
    this.#expiries.cancel(approvalId)
    this.#held.remove(approvalId)
    this.#shown.delete(approvalId)
    this.#queued.delete(approvalId)
    for (const id of this.#open.remove(approvalId)) this.#openQueued(id)
  }

  #openQueued(approvalId: ApprovalKey): void {
    const queued = this.#queued.get(approvalId)
    this.#queued.delete(approvalId)
    if (!queued) return
    this.#startTimeLimit(approvalId, queued.session, queued.isHeld)
    this.#limitShown(queued.session.id)
    this.#deps.sessions.ring(queued.session.id)
  }
}

/** What is not shown here for want of room is asked there. */
function leftToTerminal({ id }: Approval): Settled {
  return { approvalId: id, status: 'withdrawn', carrier: 'terminal', end: 'left to the terminal' }
}

/** A tool use may have several questions; the answer must be for the question that the answerer has seen. */
function onlyPending(asked: readonly Approval[]): Approval | undefined {
  const pending = asked.filter(({ status }) => status === 'pending')
  if (pending.length <= 1) return pending[0] ?? asked.at(-1)
  const ids = pending.map(({ id }) => id)
  throw new AppError(
    'invalid_input',
    `${pending.length} questions about this tool use are open; answer each by its own id: ${ids.join(', ')}.`,
    { data: { approvalIds: ids } },
  )
}

function bytesOf(input: unknown): number {
  return Buffer.byteLength(JSON.stringify(input))
}

export function noSuchQuestionError(id: string): AppError {
  return new AppError('not_found', `There is no question ${id}; list the pending ones.`)
}
