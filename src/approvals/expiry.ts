import type { ApprovalKey } from '../base/ids.ts'
import type { Clock } from '../base/clock.ts'

interface Scheduled {
  readonly time: number
  readonly cancel: () => void
}

/** The denials that are scheduled: of questions whose time limit will be over. They live in this process only. */
export class Expiries {
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  readonly #scheduled = new Map<string, Scheduled>()

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock
    this.#onError = onError
  }

  /** Replaces what was scheduled for the question. While the denial cannot be written (a full disk), it is retried. */
  schedule(approvalId: ApprovalKey, ms: number, deny: () => Promise<void>): void {
    this.#scheduled.get(approvalId)?.cancel()
    const attempt = () =>
      deny().catch((error: unknown) => {
        this.#onError(error)
        if (this.#scheduled.has(approvalId)) this.schedule(approvalId, RETRY_MS, deny)
      })
    const cancel = this.#clock.setTimer(ms, () => void attempt())
    this.#scheduled.set(approvalId, { time: this.#clock.now() + ms, cancel })
  }

  /** In ms since 1970; undefined if nothing is scheduled. */
  timeOf(approvalId: ApprovalKey): number | undefined {
    return this.#scheduled.get(approvalId)?.time
  }

  cancel(approvalId: ApprovalKey): void {
    this.#scheduled.get(approvalId)?.cancel()
    this.#scheduled.delete(approvalId)
  }

  close(): void {
    for (const { cancel } of this.#scheduled.values()) cancel()
    this.#scheduled.clear()
  }
}

const RETRY_MS = 5_000
