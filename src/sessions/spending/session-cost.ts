import { isAtLeast } from '../../text/version-order.ts'

/**
 * What a session has cost. The CLI reports the sum of its process; this is the sum over all processes of the session. It is
 * part of checkpoints, so its fields keep their names.
 */
export interface SessionCost {
  readonly usd: number
  /** The last sum that the process reported. */
  readonly told: number
  /** Newer versions continue the transcript's sum when they resume, older ones begin at 0. */
  readonly continues: boolean
}

export const NO_COST: SessionCost = { usd: 0, told: 0, continues: false }

/** A sum below the last one is of a new process, which began at 0. */
export function withReport({ usd, told, continues }: SessionCost, total: number): SessionCost {
  const added = total >= told ? total - told : total
  return { usd: usd + added, told: total, continues }
}

/** The version decides what the first report of a resumed process includes. */
export function costForVersion(cost: SessionCost, cliVersion: string | undefined): SessionCost {
  return cliVersion === undefined ? cost : { ...cost, continues: isAtLeast(cliVersion, '2.1.325') }
}

export function costAfterRun(cost: SessionCost): SessionCost {
  return { ...cost, told: cost.continues ? cost.told : 0 }
}
