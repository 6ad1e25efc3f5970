import type { ApprovalKey, CallerKey, SessionKey } from '../base/ids.ts'

/** How many questions may be open at once. The limit per owner leaves room for the questions of other owners. */
export interface QuestionLimits {
  readonly perSession: number
  readonly perOwner: number
  readonly inAll: number
  /** Size of the inputs, which are in memory for as long as a question is open or queued. */
  readonly bytesPerOwner: number
  readonly bytesInAll: number
}

export const DEFAULT_LIMITS: QuestionLimits = {
  perSession: 64,
  perOwner: 500,
  inAll: 2_000,
  bytesPerOwner: 64 << 20,
  bytesInAll: 256 << 20,
}

export interface OpenQuestion {
  readonly sessionId: SessionKey
  readonly owner: CallerKey
  readonly bytes: number
}

/** What happens to a new question: it is open, it is queued until another is settled, or it is refused. */
export type Admission =
  | { readonly kind: 'open' }
  | { readonly kind: 'queued' | 'refused'; readonly limit: keyof QuestionLimits }

/**
 * Counts the open questions by session, by owner and in all. Beyond a limit a question is queued: a child waits for its answer
 * as long as it must. A queued question needs memory too, so beyond the limits of size a question is refused.
 */
export class OpenQuestions {
  readonly #limits: QuestionLimits
  readonly #byId = new Map<string, OpenQuestion>()
  readonly #open = new Sums()
  readonly #bytes = new Sums()
  /** By session, so that a long queue of one session does not slow down the others; each in the order of asking. */
  readonly #queues = new Map<string, Set<string>>()

  constructor(limits: QuestionLimits = DEFAULT_LIMITS) {
    this.#limits = limits
  }

  add(id: ApprovalKey, question: OpenQuestion): Admission {
    this.remove(id)
    const sizeLimit = this.#exceededSize(question)
    if (sizeLimit) return { kind: 'refused', limit: sizeLimit }
    this.#byId.set(id, question)
    this.#addBytes(question, 1)
    const limit = this.#exceededLimit(question)
    if (!limit) return this.#markOpen(question)
    const queue = this.#queues.get(question.sessionId) ?? new Set()
    this.#queues.set(question.sessionId, queue.add(id))
    return { kind: 'queued', limit }
  }

  isQueued(id: ApprovalKey): boolean {
    const question = this.#byId.get(id)
    return question !== undefined && this.#queues.get(question.sessionId)?.has(id) === true
  }

  /** Returns the ids of the queued questions that are open now because there is room for them. */
  remove(id: ApprovalKey): string[] {
    const question = this.#byId.get(id)
    if (!question) return []
    this.#byId.delete(id)
    this.#addBytes(question, -1)
    if (this.#leaveQueue(id, question)) return []
    this.#open.add(question, -1)
    return this.#openNext()
  }

  #markOpen(question: OpenQuestion): Admission {
    this.#open.add(question, 1)
    return { kind: 'open' }
  }

  #leaveQueue(id: ApprovalKey, { sessionId }: OpenQuestion): boolean {
    const queue = this.#queues.get(sessionId)
    const left = queue?.delete(id) === true
    if (queue?.size === 0) this.#queues.delete(sessionId)
    return left
  }

  #openNext(): string[] {
    const opened: string[] = []
    for (const queue of this.#queues.values())
      for (const id of queue) {
        const question = this.#byId.get(id)
        if (!question || this.#exceededLimit(question)) break
        this.#leaveQueue(id, question)
        this.#markOpen(question)
        opened.push(id)
      }
    return opened
  }

  #exceededLimit(question: OpenQuestion): keyof QuestionLimits | undefined {
    if (this.#open.ofSession(question) >= this.#limits.perSession) return 'perSession'
    if (this.#open.ofOwner(question) >= this.#limits.perOwner) return 'perOwner'
    return this.#open.inAll >= this.#limits.inAll ? 'inAll' : undefined
  }

  /** The only question of an owner is always accepted: its size is limited by the longest line of a child. */
  #exceededSize(question: OpenQuestion): keyof QuestionLimits | undefined {
    const ofOwner = this.#bytes.ofOwner(question)
    const bytes = bytesOf(question)
    if (ofOwner === 0) return undefined
    if (ofOwner + bytes > this.#limits.bytesPerOwner) return 'bytesPerOwner'
    return this.#bytes.inAll + bytes > this.#limits.bytesInAll ? 'bytesInAll' : undefined
  }

  #addBytes(question: OpenQuestion, sign: 1 | -1): void {
    this.#bytes.add(question, sign * bytesOf(question))
  }
}

/** By session, by owner and in all. */
class Sums {
  readonly #bySession = new Map<string, number>()
  readonly #byOwner = new Map<string, number>()
  inAll = 0

  ofSession({ sessionId }: OpenQuestion): number {
    return this.#bySession.get(sessionId) ?? 0
  }

  ofOwner({ owner }: OpenQuestion): number {
    return this.#byOwner.get(owner) ?? 0
  }

  add({ sessionId, owner }: OpenQuestion, amount: number): void {
    addTo(this.#bySession, sessionId, amount)
    addTo(this.#byOwner, owner, amount)
    this.inAll += amount
  }
}

function addTo(sums: Map<string, number>, key: string, amount: number): void {
  const sum = (sums.get(key) ?? 0) + amount
  if (sum === 0) sums.delete(key)
  else sums.set(key, sum)
}

/** A small question needs memory too: without a minimum, a queue of them would have no limit. */
function bytesOf({ bytes }: OpenQuestion): number {
  return Math.max(bytes, MIN_BYTES)
}

const MIN_BYTES = 1_024
