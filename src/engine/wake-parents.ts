import type { Approval } from '../approvals/approval.ts'
import { AppError } from '../base/errors.ts'
import type { SessionEvent } from '../events/session-event.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Supervisor } from '../sessions/supervisor.ts'
import type { Store } from '../sessions/record/store.ts'
import { sessionsAbove } from './access/session-access.ts'
import { endNews, endOf, questionNews } from './access/parent-notice.ts'
import { canBeWoken, isAtWork, nextAbove, responsibleFor } from './access/responsible-session.ts'

interface Parts {
  readonly store: Store
  readonly supervisor: Supervisor
  readonly onError: (error: unknown) => void
}

/**
 * Wakes a session whose turn has ended for a question or the end of one that it started with `wakeParent`: one prompt for
 * each. What it knows is on record in its own log, in the step that accepts the prompt, so looking again is always safe:
 * after a crash nothing is lost and nothing is said twice. While it is at work nothing is said; its end is the next look.
 */
export class WakeParents {
  readonly #parts: Parts
  #closed = false
  /** One look after the other: each sees what the one before has said. */
  #looks: Promise<void> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** To be given whatever is stored in any session. */
  watch({ id, config, parentId }: Session, events: readonly SessionEvent[]): void {
    const ended = events.some(
      ({ type }) => type === 'turn.ended' || type === 'run.ended' || type === 'task.ended',
    )
    const asks = events.some(({ type }) => type === 'approval.opened')
    if (config.wakeParent && parentId !== undefined && (asks || ended)) this.#later(() => this.#lookAt(id))
    if (config.nested && ended) this.#later(() => this.#lookBelow(id))
  }

  /** What an earlier hub left. */
  async resume(): Promise<void> {
    const { sessions } = this.#parts.store
    const parents = new Set<string>()
    for (const { config, parentId } of await sessions.list({ limit: MANY }))
      if (config.wakeParent && parentId !== undefined) parents.add(parentId)
    for (const id of parents) this.#later(() => this.#lookBelow(id))
  }

  close(): void {
    this.#closed = true
  }

  #later(look: () => Promise<void>): void {
    this.#looks = this.#looks.then(() => (this.#closed ? undefined : look())).catch(this.#parts.onError)
  }

  async #lookBelow(parentId: string): Promise<void> {
    const children = await this.#parts.store.sessions.list({ parentId, limit: MANY })
    for (const { id, config } of children) if (config.wakeParent) await this.#lookAt(id)
  }

  async #lookAt(childId: string): Promise<void> {
    const { store } = this.#parts
    const child = await store.sessions.get(childId)
    const above = child ? await sessionsAbove(store, child.parentId) : []
    const [parent] = above
    if (!child || !parent || parent.id !== child.parentId || isAtWork(parent)) return
    const end = endOf(child)
    if (end !== undefined && canBeWoken(parent, end)) return this.#wake(parent, end, endNews(child))
    for (const asked of await store.approvals.pending([childId])) {
      const { id, escalations } = asked
      const handed = { personOnly: child.answerers === 'person', escalations, wakesFor: id }
      if (responsibleFor(above, handed) !== parent.id) continue
      // With this prompt it is at work, and what else there is waits for its end.
      return this.#wake(parent, id, questionNews(child, asked)).catch((error: unknown) =>
        this.#handUp(asked, above, error),
      )
    }
  }

  async #wake({ id }: Session, news: string, text: string): Promise<void> {
    await (await this.#parts.supervisor.wake(id)).wakeFor(news, text)
  }

  /** There is no place for its process, or the disk is full: the question falls to the next above. */
  async #handUp({ id, sessionId }: Approval, above: readonly Session[], error: unknown): Promise<void> {
    if (!(error instanceof AppError)) throw error
    const to = nextAbove(above, above[0]?.id ?? '')
    if (to === undefined || this.#closed) return
    const asking = await this.#parts.supervisor.wake(sessionId)
    const note = `The session right above could not be woken: ${error.message}`
    await asking.escalate({ approvalId: id, by: 'plexus', to, note })
  }
}

const MANY = 10_000
