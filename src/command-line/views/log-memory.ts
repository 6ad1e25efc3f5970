import type { SessionEvent } from '../../events/session-event.ts'
import {
  costAfterRun,
  costForVersion,
  NO_COST,
  type SessionCost,
  withReport,
} from '../../sessions/spending/session-cost.ts'
import type { AskedCall } from './answer-lines.ts'

/** What a line of a log needs of the events before it: what was asked, and what was spent. */
export class LogMemory {
  readonly #calls = new Map<string, AskedCall>()
  #cost: SessionCost = NO_COST

  /** Each event once, in order. */
  read(event: SessionEvent): void {
    if (event.type === 'approval.opened') this.#calls.set(event.approvalId, event)
    if (event.type === 'turn.started') this.#cost = costForVersion(this.#cost, event.cliVersion)
    if (event.type === 'cost.reported') this.#cost = withReport(this.#cost, event.total)
    if (event.type === 'run.ended') this.#cost = costAfterRun(this.#cost)
  }

  /** What a question asked: the event of its answer does not repeat it. */
  callOf(approvalId: string): AskedCall | undefined {
    return this.#calls.get(approvalId)
  }

  /** The sum over all processes of the session; an event has only that of its process. */
  get costUsd(): number {
    return this.#cost.usd
  }
}
