import type { SessionId } from '../base/ids.ts'
import { PromiseQueue } from '../async/promise-queue.ts'
import type { Approval } from '../approvals/approval.ts'
import { AppError } from '../base/errors.ts'
import type { SessionEvent } from '../events/session-event.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Supervisor } from '../sessions/supervisor.ts'
import type { Store } from '../sessions/record/store.ts'
import { ancestorSessions } from './access/session-access.ts'
import { descendantSessions } from './access/visible-sessions.ts'
import { endNotice, turnEndId, questionNotice } from './access/parent-notice.ts'
import { isAtWork } from '../sessions/record/at-work.ts'
import { requireBudget } from './budgets/require-budget.ts'
import type { SpendingContext } from './budgets/tree-budget.ts'
import { canBeWoken, nextAbove, responsibleFor } from './access/responsible-session.ts'

interface WakeDeps {
  readonly store: Store
  readonly supervisor: Supervisor
  readonly budgets: SpendingContext
  readonly onError: (error: unknown) => void
}

/**
 * Prompts an idle parent when a session that it started with `wakeParent` asks or ends: one prompt for each notice. The step
 * that accepts the prompt also records the notice in the parent's log, so checking again is always safe: after a crash
 * nothing is lost and nothing is sent twice. A parent at work gets no prompt; the end of its turn triggers the next check.
 */
export class WakeParents {
  readonly #deps: WakeDeps
  #closed = false
  /** Checks run one after the other, so that each sees the prompts of the check before. */
  readonly #queue = new PromiseQueue()
  /** The parents of which it is logged that they are not woken because of a budget: once each. */
  readonly #overBudget = new Set<SessionId>()

  constructor(parts: WakeDeps) {
    this.#deps = parts
  }

  /** Called with every stored step of every session. */
  watch({ id, config, parentId }: Session, events: readonly SessionEvent[]): void {
    const ended = events.some(
      ({ type }) => type === 'turn.ended' || type === 'run.ended' || type === 'task.ended',
    )
    const asks = events.some(({ type }) => type === 'approval.opened')
    if (config.wakeParent && parentId !== undefined && (asks || ended))
      this.#enqueue(() => this.#checkChild(id))
    if (config.nested && ended) this.#enqueue(() => this.#checkChildren(id))
    if (config.nested && events.some(({ type }) => type === 'budget.set'))
      this.#enqueue(() => this.#checkTree(id))
  }

  /** Checks what an earlier hub left undone. */
  async resume(): Promise<void> {
    const { sessions } = this.#deps.store
    const parents = new Set<SessionId>()
    for (const { config, parentId } of await sessions.list({ limit: MAX_SESSIONS }))
      if (config.wakeParent && parentId !== undefined) parents.add(parentId)
    for (const id of parents) this.#enqueue(() => this.#checkChildren(id))
  }

  close(): void {
    this.#closed = true
  }

  #enqueue(check: () => Promise<void>): void {
    this.#queue.run(async () => (this.#closed ? undefined : check())).catch(this.#deps.onError)
  }

  async #checkChildren(parentId: SessionId): Promise<void> {
    const children = await this.#deps.store.sessions.list({ parentId, limit: MAX_SESSIONS })
    for (const { id, config } of children) if (config.wakeParent) await this.#checkChild(id)
  }

  /** A budget may hold for all sessions below: what waited for it to be raised is reported now. */
  async #checkTree(id: SessionId): Promise<void> {
    const below = await descendantSessions(this.#deps.store, id)
    for (const parent of [id, ...below.filter(({ config }) => config.nested).map((one) => one.id)])
      await this.#checkChildren(parent)
  }

  async #checkChild(childId: SessionId): Promise<void> {
    const { store } = this.#deps
    const child = await store.sessions.get(childId)
    const ancestors = child ? await ancestorSessions(store, child.parentId) : []
    const [parent] = ancestors
    if (!child || !parent || parent.id !== child.parentId || isAtWork(parent)) return
    const end = turnEndId(child)
    if (end !== undefined && canBeWoken(parent, end)) return this.#wakeForEnd(parent, end, endNotice(child))
    for (const asked of await store.approvals.pending([childId])) {
      const { id, escalations, kind } = asked
      if (kind === 'budget') continue
      const state = { personOnly: child.answerers === 'person', escalations, wakesFor: id }
      if (responsibleFor(ancestors, state) !== parent.id) continue
      // This prompt starts a turn of the parent; further notices wait for its end.
      return this.#wake(parent, id, questionNotice(child, asked)).catch((error: unknown) =>
        this.#escalate(asked, ancestors, error),
      )
    }
  }

  /** A prompt spends, so a parent whose budget is used up is not woken. The end waits until the budget is raised. */
  async #wakeForEnd(parent: Session, noticeId: string, text: string): Promise<void> {
    try {
      await this.#wake(parent, noticeId, text)
      this.#overBudget.delete(parent.id)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'over_budget') throw error
      if (this.#overBudget.has(parent.id)) return
      this.#overBudget.add(parent.id)
      throw error
    }
  }

  async #wake(parent: Session, noticeId: string, text: string): Promise<void> {
    const { id } = parent
    await requireBudget(this.#deps.store, parent, this.#deps.budgets)
    await (await this.#deps.supervisor.wake(id)).wakeFor(noticeId, text)
  }

  /** The parent cannot be started (no process slot, a full disk): the next level above becomes responsible. */
  async #escalate({ id, sessionId }: Approval, ancestors: readonly Session[], error: unknown): Promise<void> {
    if (!(error instanceof AppError)) throw error
    const to = nextAbove(ancestors, ancestors[0]?.id ?? '')
    if (to === undefined || this.#closed) return
    const questions = await this.#deps.supervisor.questionsOf(sessionId)
    const note = `The parent session could not be woken: ${error.message}`
    await questions.escalate({ approvalId: id, by: 'plexus', to, note })
  }
}

const MAX_SESSIONS = 10_000
