/** How much may be open at once. What one owner has open leaves room for everybody else's. */
export interface MostOpen {
  readonly perSession: number
  readonly perOwner: number
  readonly inAll: number
  /** What is asked about, in bytes: it is held in memory for as long as the question is open. */
  readonly bytesPerOwner: number
  readonly bytesInAll: number
}

export const MOST_OPEN: MostOpen = {
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

/** What is open, counted by session, by owner and in all. */
export class OpenQuestions {
  readonly #most: MostOpen
  readonly #byId = new Map<string, OpenQuestion>()
  readonly #sums = new Map<string, { questions: number; bytes: number }>()

  constructor(most: MostOpen = MOST_OPEN) {
    this.#most = most
  }

  /** Counts one more, and returns the limit that it is beyond, if it is. */
  add(id: string, question: OpenQuestion): keyof MostOpen | undefined {
    this.remove(id)
    this.#byId.set(id, question)
    this.#count(question, 1)
    return this.#beyond(question)
  }

  remove(id: string): void {
    const question = this.#byId.get(id)
    if (!question) return
    this.#byId.delete(id)
    this.#count(question, -1)
  }

  #count(question: OpenQuestion, by: 1 | -1): void {
    for (const key of keysOf(question)) {
      const { questions, bytes } = this.#sum(key)
      if (questions + by === 0) this.#sums.delete(key)
      else this.#sums.set(key, { questions: questions + by, bytes: bytes + by * question.bytes })
    }
  }

  #beyond(question: OpenQuestion): keyof MostOpen | undefined {
    const [ofSession, ofOwner, all] = keysOf(question).map((key) => this.#sum(key))
    const reached: Record<keyof MostOpen, number> = {
      perSession: ofSession?.questions ?? 0,
      perOwner: ofOwner?.questions ?? 0,
      inAll: all?.questions ?? 0,
      // One alone may always be asked: it is no larger than what a child can say at all.
      bytesPerOwner: ofOwner?.questions === 1 ? 0 : (ofOwner?.bytes ?? 0),
      bytesInAll: ofOwner?.questions === 1 ? 0 : (all?.bytes ?? 0),
    }
    return LIMITS.find((limit) => reached[limit] > this.#most[limit])
  }

  #sum(key: string): { questions: number; bytes: number } {
    return this.#sums.get(key) ?? { questions: 0, bytes: 0 }
  }
}

function keysOf({ sessionId, owner }: OpenQuestion): string[] {
  return [`session ${sessionId}`, `owner ${owner}`, 'all']
}

const LIMITS = ['perSession', 'perOwner', 'inAll', 'bytesPerOwner', 'bytesInAll'] as const
