import type { Samples } from '../figure.ts'
import type { BareCli, BarePlace } from './bare-cli.ts'
import { compareTurns } from './turns-by-mcp.ts'

const APPROVALS = 20

/** Milliseconds for each of 20 approvals in a turn, by `plexus mcp` and a hub, against those of a CLI on plain pipes. */
export async function approvalsByMcp(
  bare: (place: BarePlace, questions: number) => BareCli,
): Promise<Samples> {
  const turns = await compareTurns({
    pairs: 40,
    script: { calls: APPROVALS, delayMs: 0 },
    questions: APPROVALS,
    clears: true,
    bare: (place) => bare(place, APPROVALS),
  })
  const perApproval = (values: readonly number[]) => values.map((ms) => ms / APPROVALS)
  return { ours: perApproval(turns.ours), reference: perApproval(turns.reference) }
}
