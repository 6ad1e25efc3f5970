import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { definedFields } from '../base/defined-fields.ts'
import type { Decision, SessionEvent } from '../events/session-event.ts'
import { type Answer, decisionFrom, statusOf } from './answer.ts'
import { alreadySettledError } from './already-settled.ts'
import type { Answered, Approval } from './approval.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { DeskSessions, Settled } from './desk-sessions.ts'
import { type GrantRule, grantRuleOf, rememberedBy, type Remember } from './grant-rule.ts'
import { type QuestionLimits, OpenQuestions, type Admission } from './question-limits.ts'

export interface DeskDeps {
  readonly approvals: ApprovalStore
  readonly sessions: DeskSessions
  readonly onError: (error: unknown) => void
  readonly clock?: Clock | undefined
  /** How much may be open at once. */
  readonly limits?: QuestionLimits | undefined
  /** Called for each question that is beyond a limit, with what becomes of it. */
  readonly onLimit?:
    | ((session: AskingSession, place: Exclude<Admission, { kind: 'open' }>) => void)
    | undefined
}

/** A session, as far as it matters for its questions. */
export interface AskingSession {
  readonly id: string
  readonly owner: string
  readonly timeoutMs: number
}

/** From where an answer came. */
export type AnswerSource = Pick<Approval, 'level' | 'via'>

/**
 * Opens no approvals (the child does, by asking) and settles all of them. Whoever is first wins; the others are told
 * who that was. Silence is a no: an approval with a time limit is denied when it is over. The limit counts while a hub is
 * there, by a clock that does not jump: after a restart it begins anew, so nothing expires early.
 */
export class Desk {
  readonly #parts: DeskDeps
  readonly #clock: Clock
  /** What will say no: when that is, and how to take it back. */
  readonly #expiries = new Map<string, { readonly at: number; readonly takeBack: () => void }>()
  readonly #open: OpenQuestions
  readonly #inLine = new Map<string, AskingSession>()

  constructor(parts: DeskDeps) {
    this.#parts = parts
    this.#clock = parts.clock ?? systemClock
    this.#open = new OpenQuestions(parts.limits)
  }

  async find(id: string, sessionId?: string): Promise<Approval> {
    const { approvals } = this.#parts
    const found =
      (await approvals.get(id)) ??
      (sessionId === undefined ? undefined : onlyPending(await approvals.ofToolUse(sessionId, id)))
    if (found && (sessionId === undefined || found.sessionId === sessionId)) return found
    throw noSuchQuestionError(id)
  }

  /** Settles it and returns it as it stands; if somebody was first, `already_settled` says who and how. */
  async answer(approval: Approval, answer: Answer, by: string, from: AnswerSource = {}): Promise<Answered> {
    if (approval.status !== 'pending') throw alreadySettledError(approval)
    const decision = decisionFrom(approval, answer)
    if (decision.behavior === 'allow' && decision.message !== undefined) await this.#requireNote(approval)
    const rule = answer.remember && (await this.#toRemember(approval, answer.remember))
    const remembered = rule && { id: randomUUID(), rule }
    const settled = await this.#write(approval, {
      approvalId: approval.id,
      status: statusOf(decision),
      decision,
      by,
      ...definedFields({ ...from, remembered }),
    })
    return rule ? { ...settled, remembered: rememberedBy(rule) } : settled
  }

  /** To be told what is stored in any session: it keeps the limits of time and number. */
  watch(session: AskingSession, events: readonly SessionEvent[]): void {
    for (const event of events) {
      if (event.type === 'approval.opened') this.track(event.approvalId, session, bytesOf(event.input))
      if (event.type === 'approval.settled') this.#forget(event.approvalId)
    }
  }

  /** A question is there; one too many waits in line, so that a child gone wild drowns nobody else's questions. */
  track(approvalId: string, session: AskingSession, bytes: number): void {
    const { id: sessionId, owner } = session
    const place = this.#open.add(approvalId, { sessionId, owner, bytes })
    if (place.kind === 'open') return this.#beginTime(approvalId, session)
    this.#parts.onLimit?.(session, place)
    if (place.kind === 'in line') this.#inLine.set(approvalId, session)
    else this.#sayNoLater(approvalId, 0, () => this.#refuse(approvalId))
  }

  /** It is shown to nobody yet, and its time has not begun. An answer to it counts all the same. */
  isQueued(approvalId: string): boolean {
    return this.#open.isQueued(approvalId)
  }

  #beginTime(approvalId: string, { timeoutMs }: AskingSession): void {
    if (timeoutMs > 0) this.scheduleExpiry(approvalId, timeoutMs)
  }

  /**
   * Notes the questions that an earlier hub left open. One may be settled while their sessions are looked for, before it is
   * noted and seen by `watch`: so what is pending is asked for once more behind it.
   */
  async resume(sessionOf: (sessionId: string) => Promise<AskingSession | undefined>): Promise<void> {
    const { approvals } = this.#parts
    const found = await approvals.pendingIds()
    for (const { id, sessionId, bytes } of found) {
      const session = await sessionOf(sessionId)
      if (session) this.track(id, session, bytes)
    }
    const still = new Set((await approvals.pendingIds()).map(({ id }) => id))
    for (const { id } of found) if (!still.has(id)) this.#forget(id)
  }

  scheduleExpiry(approvalId: string, limitMs: number): void {
    this.#sayNoLater(approvalId, limitMs, () => this.#expire(approvalId, limitMs))
  }

  /** When silence becomes a no, in ms since 1970; undefined for what waits for ever. */
  expiresAt(approvalId: string): number | undefined {
    return this.#expiries.get(approvalId)?.at
  }

  close(): void {
    for (const { takeBack } of this.#expiries.values()) takeBack()
    this.#expiries.clear()
  }

  /** A message that nobody would read is refused: who gave it relies on it. */
  async #requireNote(approval: Approval): Promise<void> {
    const { sessionId, toolUseId } = approval
    if (toolUseId !== undefined && (await this.#parts.sessions.wake(sessionId)).takesNotes) return
    throw new AppError(
      'invalid_input',
      'The process that asks cannot be given a message with a yes (somebody else or an earlier Plexus started it); leave out message, or say it as a prompt.',
    )
  }

  async #toRemember(approval: Approval, remember: Remember): Promise<GrantRule> {
    const session = await this.#parts.sessions.wake(approval.sessionId)
    if (!session.mayRemember(approval))
      throw new AppError(
        'invalid_input',
        'This cannot be remembered, for it could reach what Plexus itself keeps and is asked about each time; leave out remember.',
      )
    const rule = grantRuleOf(approval, remember)
    if (rule) return rule
    throw new AppError(
      'invalid_input',
      'This cannot be remembered, for Plexus was not told in which folder it would run; leave out remember.',
    )
  }

  async #write(approval: Approval, settled: Settled): Promise<Approval> {
    const session = await this.#parts.sessions.wake(approval.sessionId)
    await session.settle(settled)
    return this.find(approval.id)
  }

  #expire(approvalId: string, limitMs: number): Promise<void> {
    const message = `Nobody answered within ${Math.round(limitMs / 1000)} seconds, so the answer is no.`
    return this.#sayNo(approvalId, 'expired', message)
  }

  #refuse(approvalId: string): Promise<void> {
    const message = 'Too much is asked about at once, so the answer is no; ask again when some is answered.'
    return this.#sayNo(approvalId, 'denied', message)
  }

  /** Silence stays a no: while that cannot be written (a full disk), it is tried again. */
  #sayNoLater(approvalId: string, ms: number, sayNo: () => Promise<void>): void {
    this.#expiries.get(approvalId)?.takeBack()
    const attempt = () =>
      sayNo().catch((error: unknown) => {
        this.#parts.onError(error)
        if (this.#expiries.has(approvalId)) this.#sayNoLater(approvalId, RETRY_MS, sayNo)
      })
    const takeBack = this.#clock.setTimer(ms, () => void attempt())
    this.#expiries.set(approvalId, { at: this.#clock.now() + ms, takeBack })
  }

  async #sayNo(approvalId: string, status: 'expired' | 'denied', message: string): Promise<void> {
    const approval = await this.#parts.approvals.get(approvalId)
    if (approval?.status !== 'pending') return
    const no: Decision =
      approval.kind === 'form' ? { behavior: 'form', action: 'cancel' } : { behavior: 'deny', message }
    const via = status === 'expired' ? 'expiry' : 'rule'
    const settled: Settled = { approvalId, status, decision: no, via }
    await this.#write(approval, settled).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'already_settled') throw error
    })
  }

  #forget(approvalId: string): void {
    this.#expiries.get(approvalId)?.takeBack()
    this.#expiries.delete(approvalId)
    this.#inLine.delete(approvalId)
    for (const id of this.#open.remove(approvalId)) this.#takeTurn(id)
  }

  #takeTurn(approvalId: string): void {
    const session = this.#inLine.get(approvalId)
    this.#inLine.delete(approvalId)
    if (!session) return
    this.#beginTime(approvalId, session)
    this.#parts.sessions.ring(session.id)
  }
}

/** A tool use may have been asked about more than once; what is answered must be what whoever answers has seen. */
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
  return new AppError('not_found', `There is no question ${id}; look at what is pending.`)
}

const RETRY_MS = 5_000
