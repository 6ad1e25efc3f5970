/** How much may be open at once. What one owner has open leaves room for everybody else's. */
export interface QuestionLimits {
  readonly perSession: number
  readonly perOwner: number
  readonly inAll: number
  /** What is asked about, in bytes: it is held in memory for as long as the question waits, in line or open. */
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
  readonly sessionId: string
  readonly owner: string
  readonly bytes: number
}

/** What becomes of a new question: it is open; it waits in line until another is settled; or it is refused. */
export type Admission =
  | { readonly kind: 'open' }
  | { readonly kind: 'in line' | 'refused'; readonly limit: keyof QuestionLimits }

/**
 * The questions that are open, counted by session, by owner and in all. One too many waits in line: a child that asks waits
 * for as long as it must. But what waits takes memory too, so beyond the limits of size a question is refused.
 */
export class OpenQuestions {
  readonly #most: QuestionLimits
  readonly #byId = new Map<string, OpenQuestion>()
  readonly #open = new Map<string, number>()
  readonly #bytes = new Map<string, number>()
  /** By session, so that a long line of one session costs the others nothing; each in the order of asking. */
  readonly #line = new Map<string, Set<string>>()

  constructor(most: QuestionLimits = DEFAULT_LIMITS) {
    this.#most = most
  }

  add(id: string, question: OpenQuestion): Admission {
    this.remove(id)
    const sizeLimit = this.#tooLarge(question)
    if (sizeLimit) return { kind: 'refused', limit: sizeLimit }
    this.#byId.set(id, question)
    this.#weigh(question, 1)
    const limit = this.#beyond(question)
    if (!limit) return this.#take(question)
    const line = this.#line.get(question.sessionId) ?? new Set()
    this.#line.set(question.sessionId, line.add(id))
    return { kind: 'in line', limit }
  }

  isQueued(id: string): boolean {
    const question = this.#byId.get(id)
    return question !== undefined && this.#line.get(question.sessionId)?.has(id) === true
  }

  /** Returns those that are open now because there is room for them. */
  remove(id: string): string[] {
    const question = this.#byId.get(id)
    if (!question) return []
    this.#byId.delete(id)
    this.#weigh(question, -1)
    if (this.#leaveLine(id, question)) return []
    count(this.#open, question, -1)
    return this.#callNext()
  }

  #take(question: OpenQuestion): Admission {
    count(this.#open, question, 1)
    return { kind: 'open' }
  }

  #leaveLine(id: string, { sessionId }: OpenQuestion): boolean {
    const line = this.#line.get(sessionId)
    const left = line?.delete(id) === true
    if (line?.size === 0) this.#line.delete(sessionId)
    return left
  }

  #callNext(): string[] {
    const called: string[] = []
    for (const line of this.#line.values())
      for (const id of line) {
        const question = this.#byId.get(id)
        if (!question || this.#beyond(question)) break
        this.#leaveLine(id, question)
        this.#take(question)
        called.push(id)
      }
    return called
  }

  #beyond(question: OpenQuestion): keyof QuestionLimits | undefined {
    const [ofSession = 0, ofOwner = 0, all = 0] = keysOf(question).map((key) => this.#open.get(key) ?? 0)
    if (ofSession >= this.#most.perSession) return 'perSession'
    if (ofOwner >= this.#most.perOwner) return 'perOwner'
    return all >= this.#most.inAll ? 'inAll' : undefined
  }

  /** One alone may always be asked: it is no larger than what a child can say at all. */
  #tooLarge(question: OpenQuestion): keyof QuestionLimits | undefined {
    const [, ofOwner = 0, all = 0] = keysOf(question).map((key) => this.#bytes.get(key) ?? 0)
    const bytes = weightOf(question)
    if (ofOwner === 0) return undefined
    if (ofOwner + bytes > this.#most.bytesPerOwner) return 'bytesPerOwner'
    return all + bytes > this.#most.bytesInAll ? 'bytesInAll' : undefined
  }

  #weigh(question: OpenQuestion, sign: 1 | -1): void {
    count(this.#bytes, question, sign * weightOf(question))
  }
}

function count(sums: Map<string, number>, question: OpenQuestion, by: number): void {
  for (const key of keysOf(question)) {
    const sum = (sums.get(key) ?? 0) + by
    if (sum === 0) sums.delete(key)
    else sums.set(key, sum)
  }
}

/** A small question takes memory too: without this, a line of them would have no end. */
function weightOf({ bytes }: OpenQuestion): number {
  return Math.max(bytes, MIN_BYTES)
}

function keysOf({ sessionId, owner }: OpenQuestion): string[] {
  return [`session ${sessionId}`, `owner ${owner}`, 'all']
}

const MIN_BYTES = 1_024
