import { isAtLeast } from '../../text/version-order.ts'

/**
 * What a session has cost. The CLI reports the sum of its process; this is the sum over all processes of the session. It is
 * part of checkpoints, so its fields keep their names.
 */
export interface SessionCost {
  readonly usd: number
  /** The last sum that the process reported. */
  readonly reported: number
  /** Newer versions continue the transcript's sum when they resume, older ones begin at 0. */
  readonly continues: boolean
}

export const NO_COST: SessionCost = { usd: 0, reported: 0, continues: false }

/** As a checkpoint has it; until 0.2 the last report was stored under another name. */
export type StoredCost = Omit<SessionCost, 'reported'> &
  ({ readonly reported: number } | { readonly told: number })

export function costFrom(stored: StoredCost | undefined): SessionCost {
  if (stored === undefined || 'reported' in stored) return stored ?? NO_COST
  const { told: reported, ...rest } = stored
  return { ...rest, reported }
}

/** A sum below the last one is of a new process, which began at 0. */
export function withReport({ usd, reported, continues }: SessionCost, total: number): SessionCost {
  const added = total >= reported ? total - reported : total
  return { usd: usd + added, reported: total, continues }
}

/** The version decides what the first report of a resumed process includes. */
export function costForVersion(cost: SessionCost, cliVersion: string | undefined): SessionCost {
  return cliVersion === undefined ? cost : { ...cost, continues: isAtLeast(cliVersion, '2.1.325') }
}

export function costAfterRun(cost: SessionCost): SessionCost {
  return { ...cost, reported: cost.continues ? cost.reported : 0 }
}
