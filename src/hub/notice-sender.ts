import { createHash } from 'node:crypto'
import { PromiseQueue } from '../async/promise-queue.ts'
import type { ApprovalId, CallerId } from '../base/ids.ts'
import { isActive } from '../devices/device.ts'
import type { SessionEvent } from '../events/session-event.ts'
import {
  isExpiring,
  isForPerson,
  type Notice,
  type NoticeMessage,
  noticeOfEnd,
  noticeOfExpiry,
  noticeOfQuestion,
} from '../notices/notice.ts'
import type { NoticeSettings } from '../notices/notice-settings.ts'
import { type PushMessage, PushQueue, type PushQueueParts } from '../push/push-queue.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Store } from '../sessions/record/store.ts'

export interface NoticeSenderParts extends Pick<PushQueueParts, 'key' | 'rules' | 'retryMs'> {
  readonly store: Pick<Store, 'approvals' | 'callers' | 'notices' | 'sessions'>
  readonly onProblem: (device: string, reason: string) => void
  readonly onError: (error: unknown) => void
  readonly now?: (() => number) | undefined
}

/** When a question is denied without an answer; undefined if it never is. */
type ExpiresAt = (approvalId: ApprovalId) => number | undefined

const DAY_SECONDS = 86_400
/** Steps that wait to be looked at: they wait for reads of the store only. */
const MAX_STEPS = 1_000
const CHECK_MS = 5_000

/**
 * Sends notices to the devices that have switched them on by web push. It only reads what was stored: no answer and no session
 * waits for it, and nothing is sent where no device has switched push on.
 */
export class NoticeSender {
  readonly #parts: NoticeSenderParts
  readonly #now: () => number
  readonly #startedAt: number
  readonly #queues = new Map<string, PushQueue>()
  readonly #steps = new PromiseQueue()
  #open = 0
  /** The tags that this process has sent; what it does not know of, and is older, an earlier hub may have sent. */
  readonly #sent = new Set<string>()
  /** The keys of notices that were shown. */
  readonly #shown = new Set<string>()
  readonly #over = new AbortController()

  constructor(parts: NoticeSenderParts) {
    this.#parts = parts
    this.#now = parts.now ?? Date.now
    this.#startedAt = this.#now()
  }

  /** Must get all stored events. Returns at once. */
  observe(session: Session, events: readonly SessionEvent[]): void {
    const steps = events.filter(({ type }) => NOTICED.has(type))
    if (steps.length === 0 || this.#open >= MAX_STEPS) return
    this.#run(async () => {
      if ((await this.#receivers()).length === 0) return
      for (const event of steps) await this.#react(session, event)
    })
  }

  /** Reads from time to time which questions are open for long, or not for long any more; returns the function that ends it. */
  watchOpen(expiresAt: ExpiresAt): () => void {
    const timer = setInterval(() => this.#run(() => this.checkOpen(expiresAt)), CHECK_MS).unref()
    return () => clearInterval(timer)
  }

  async checkOpen(expiresAt: ExpiresAt): Promise<void> {
    if ((await this.#receivers()).length === 0) return
    for (const approval of await this.#parts.store.approvals.pending()) {
      const session = await this.#parts.store.sessions.get(approval.sessionId)
      if (!session || approval.held || !isForPerson(session, approval, this.#now())) continue
      const at = expiresAt(approval.id)
      const isSoonOver = at !== undefined && isExpiring({ ...approval, expiresAt: at }, this.#now())
      // An earlier hub has sent those that it had.
      if (approval.openedAt >= this.#startedAt) await this.#showOnce(noticeOfQuestion(session, approval))
      if (isSoonOver) await this.#showOnce(noticeOfExpiry(session, { ...approval, expiresAt: at }))
    }
  }

  async #showOnce(notice: Notice): Promise<void> {
    if (this.#shown.has(notice.key)) return
    await this.#show(notice)
  }

  /** Resolves when all that was observed is sent or dropped. */
  async idle(): Promise<void> {
    await this.#steps.settled()
    for (const queue of this.#queues.values()) await queue.idle()
  }

  close(): void {
    this.#over.abort()
  }

  #run(work: () => Promise<void>): void {
    this.#open += 1
    void this.#steps
      .run(async () => (this.#over.signal.aborted ? undefined : work()))
      .catch((error: unknown) => {
        // What a hub that closes leaves undone is no error.
        if (!this.#over.signal.aborted) this.#parts.onError(error)
      })
      .finally(() => this.#open--)
  }

  async #react(session: Session, event: SessionEvent): Promise<void> {
    if (event.type === 'approval.opened') {
      const approval = await this.#parts.store.approvals.get(event.approvalId)
      if (approval?.status === 'pending' && !approval.held && isForPerson(session, approval, this.#now()))
        await this.#show(noticeOfQuestion(session, approval))
    }
    if (event.type === 'approval.settled') await this.#withdraw(event.approvalId)
    if (event.type === 'turn.ended' && event.outcome === session.status) {
      const notice = noticeOfEnd(session)
      if (notice) await this.#show(notice)
    }
  }

  async #show(notice: Notice): Promise<void> {
    keep(this.#shown, notice.key)
    for (const { device, reasons } of await this.#receivers()) {
      if (!reasons.includes(notice.reason)) continue
      keep(this.#sent, `${device} ${notice.tag}`)
      this.#add(device, { type: 'show', notice }, notice.tag)
    }
  }

  /** Of a question that was never sent, nothing has to be withdrawn. */
  async #withdraw(id: ApprovalId): Promise<void> {
    const approval = await this.#parts.store.approvals.get(id)
    const isOlder = approval !== undefined && approval.openedAt < this.#startedAt
    for (const { device } of await this.#receivers()) {
      const wasUnsent = this.#queues.get(device)?.drop(topicOf(id)) ?? false
      const wasSent = this.#sent.delete(`${device} ${id}`) && !wasUnsent
      if (wasSent || (isOlder && !wasUnsent)) this.#add(device, { type: 'withdraw', tag: id }, id)
    }
  }

  #add(device: CallerId, message: NoticeMessage, tag: string): void {
    const isUrgent = message.type === 'show' && message.notice.question !== undefined
    this.#queueOf(device).add({
      text: JSON.stringify(message),
      topic: topicOf(tag),
      ttlSeconds: DAY_SECONDS,
      urgency: isUrgent ? 'high' : 'normal',
    } satisfies PushMessage)
  }

  #queueOf(device: CallerId): PushQueue {
    const known = this.#queues.get(device)
    if (known) return known
    const { key, rules, retryMs, store, onProblem } = this.#parts
    const queue = new PushQueue({
      key,
      rules,
      ...(retryMs ? { retryMs } : {}),
      over: this.#over.signal,
      target: async () => (await this.#receivers()).find((one) => one.device === device)?.push,
      onGone: async ({ endpoint }) => {
        const settings = await store.notices.get(device)
        if (settings?.push?.endpoint !== endpoint) return
        const { push: _, ...rest } = settings
        await store.notices.put(rest)
      },
      onProblem: (reason) => onProblem(device, reason),
    })
    this.#queues.set(device, queue)
    return queue
  }

  /** Devices that are still valid and have switched push on. */
  async #receivers(): Promise<NoticeSettings[]> {
    const { notices, callers } = this.#parts.store
    const pushed = (await notices.list()).filter(({ push }) => push !== undefined)
    if (pushed.length === 0) return []
    const active = new Set(
      (await callers.list('device')).filter((one) => isActive(one, this.#now())).map(({ id }) => id),
    )
    return pushed.filter(({ device }) => active.has(device))
  }
}

const NOTICED: ReadonlySet<string> = new Set(['approval.opened', 'approval.settled', 'turn.ended'])
const MAX_KEPT = 2_000

/** Keeps the newest. */
function keep(set: Set<string>, value: string): void {
  set.delete(value)
  set.add(value)
  const [oldest] = set
  if (set.size > MAX_KEPT && oldest !== undefined) set.delete(oldest)
}

/** At most 32 characters, and the same for a question and its withdrawal. The push service learns no id by it. */
function topicOf(tag: string): string {
  return createHash('sha256').update(tag).digest('base64url').slice(0, 32)
}
