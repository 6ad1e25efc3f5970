import type { ApprovalKey } from '../base/ids.ts'
import type { SessionEvent } from '../events/session-event.ts'
import type { SessionSum } from '../sessions/record/session-store.ts'
import { visibleText } from '../text/visible-text.ts'
import type { Store } from '../sessions/record/store.ts'

/** Upper bounds of the histogram, in seconds. */
const BUCKETS = [1, 5, 15, 60, 300, 900, 3_600]

export interface TreeUse {
  readonly sessionId: string
  readonly usd: number
  readonly share: number
}

/** Metrics in the text format of Prometheus. Totals count from the start of this hub. */
export class Metrics {
  readonly #store: Store
  readonly #startedAt = performance.now()
  readonly #openedAt = new Map<string, number>()
  readonly #waits = { buckets: BUCKETS.map(() => 0), count: 0, sum: 0 }
  #events = 0

  constructor(store: Store) {
    this.#store = store
  }

  /** Must get all stored events. Questions of an earlier hub are not timed, because it had another clock. */
  observe(events: readonly SessionEvent[]): void {
    this.#events += events.length
    for (const event of events) {
      if (event.type === 'approval.opened') this.#openedAt.set(event.approvalId, performance.now())
      if (event.type === 'approval.settled') this.#settled(event.approvalId)
    }
  }

  /** `trees`: the sessions with a budget, and what share of it they and all below them have used. */
  async text(trees: readonly TreeUse[] = []): Promise<string> {
    const { approvals, sessions, costs } = this.#store
    const now = Date.now()
    const oldest = (await approvals.pending())[0]?.openedAt ?? now
    const { buckets, count, sum } = this.#waits
    return [
      ...family('plexus_sessions', 'gauge', 'Sessions by state.'),
      ...byLabel('plexus_sessions', 'state', await sessions.countByStatus()),
      ...family('plexus_approvals', 'gauge', 'Questions by status.'),
      ...byLabel('plexus_approvals', 'status', await approvals.countByStatus()),
      ...family('plexus_oldest_pending_seconds', 'gauge', 'How long the oldest open question has waited.'),
      `plexus_oldest_pending_seconds ${Math.max(0, now - oldest) / 1_000}`,
      ...family('plexus_approval_wait_seconds', 'histogram', 'How long questions waited for their answer.'),
      ...BUCKETS.map((le, index) => `plexus_approval_wait_seconds_bucket{le="${le}"} ${buckets[index]}`),
      `plexus_approval_wait_seconds_bucket{le="+Inf"} ${count}`,
      `plexus_approval_wait_seconds_sum ${sum}`,
      `plexus_approval_wait_seconds_count ${count}`,
      ...family('plexus_cost_usd', 'gauge', 'What the kept sessions have cost, by model.'),
      ...byLabel('plexus_cost_usd', 'model', usdByModel(await costs.between(0, now + 1))),
      ...family('plexus_cost_today_usd', 'gauge', 'What was spent since midnight, by model.'),
      ...byLabel('plexus_cost_today_usd', 'model', usdByModel(await costs.between(midnight(now), now + 1))),
      ...family('plexus_tree_cost_usd', 'gauge', 'What a session with a budget and all below it have cost.'),
      ...trees.map(({ sessionId, usd }) => `plexus_tree_cost_usd{session="${sessionId}"} ${usd}`),
      ...family('plexus_tree_budget_used_ratio', 'gauge', 'The share of its most used limit.'),
      ...trees.map(
        ({ sessionId, share }) => `plexus_tree_budget_used_ratio{session="${sessionId}"} ${share}`,
      ),
      ...family('plexus_events_stored_total', 'counter', 'Events stored.'),
      `plexus_events_stored_total ${this.#events}`,
      ...family('plexus_uptime_seconds', 'gauge', 'For how long this hub has been up.'),
      `plexus_uptime_seconds ${(performance.now() - this.#startedAt) / 1_000}`,
      '',
    ].join('\n')
  }

  #settled(approvalId: ApprovalKey): void {
    const openedAt = this.#openedAt.get(approvalId)
    if (openedAt === undefined) return
    this.#openedAt.delete(approvalId)
    const seconds = (performance.now() - openedAt) / 1_000
    const waits = this.#waits
    for (const [at, le] of BUCKETS.entries())
      if (seconds <= le) waits.buckets[at] = (waits.buckets[at] ?? 0) + 1
    waits.count += 1
    waits.sum += seconds
  }
}

function family(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function byLabel(
  name: string,
  label: string,
  counts: Readonly<Record<string, number>> | ReadonlyMap<string, number>,
): string[] {
  const entries = counts instanceof Map ? [...counts] : Object.entries(counts)
  return entries.map(([value, count]) => `${name}{${label}="${labelText(value)}"} ${count}`)
}

/** The name of a model comes from the CLI: it must not end its label. */
function labelText(value: string): string {
  return visibleText(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function usdByModel(sums: readonly SessionSum[]): ReadonlyMap<string, number> {
  const models = new Map<string, number>()
  for (const { model, usd } of sums) models.set(model, usd + (models.get(model) ?? 0))
  return models
}

function midnight(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0)
}
