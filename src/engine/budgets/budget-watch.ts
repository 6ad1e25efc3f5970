import { PromiseQueue } from '../../async/promise-queue.ts'
import type { SessionId } from '../../base/ids.ts'
import { MAX_TIMER_MS } from '../../base/limits.ts'
import { budgetOf, isUsedUp } from '../../budgets/budget.ts'
import { steadyNow } from '../../base/clock.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import { isAtWork, needsAnswer } from '../../sessions/record/at-work.ts'
import type { Session } from '../../sessions/record/session.ts'
import { type ActionDeps, interruptTree, noteUse, stopTree } from './budget-actions.ts'
import { budgetsAbove, type Spender, type SpendingContext, type TreeBudget } from './tree-budget.ts'

interface WatchDeps extends ActionDeps {
  readonly now: () => number
  readonly steadyNow?: (() => number) | undefined
}

/**
 * Asks when most of a budget is used, and interrupts what spends more than it allows. Spending is on record with each message and call, so this only reads it:
 * checking again is always safe. The largest overrun is one request to the model for each session at work in the tree.
 */
export class BudgetWatch implements SpendingContext {
  readonly #deps: WatchDeps
  readonly #queue = new PromiseQueue()
  readonly #due = new Set<SessionId>()
  /** For budgets of time: nothing may happen until it is over. */
  readonly #timers = new Map<SessionId, NodeJS.Timeout>()
  /** By model, from what the CLI itself has reported in this home. */
  readonly #prices = new Map<string, number>()
  #closed = false

  constructor(deps: WatchDeps) {
    this.#deps = deps
  }

  readonly now = (): number => this.#deps.now()

  readonly steadyNow = (): number => (this.#deps.steadyNow ?? steadyNow)()

  /** Its own price so far, else that of the last session with its model; undefined if none was reported. */
  readonly priceOf = (session: Spender): number | undefined =>
    ownPrice(session) ?? this.#prices.get(session.model ?? '')

  /** Called with every stored step of every session. */
  watch(session: Session, events: readonly SessionEvent[]): void {
    if (events.some(({ type }) => type === 'cost.reported')) this.#learn(session)
    const isLimited = session.parentId !== undefined || budgetOf(session) !== undefined
    if (isLimited && events.some(({ type }) => SPENDS.has(type))) this.#enqueue(session.id)
  }

  /** Learns the prices, and checks what an earlier hub left at work. */
  async resume(): Promise<void> {
    const sessions = await this.#deps.store.sessions.list({ limit: MAX_FOUND })
    for (const session of sessions.toReversed()) this.#learn(session)
    for (const session of sessions) if (needsCheck(session)) this.#enqueue(session.id)
  }

  close(): void {
    this.#closed = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  #learn(session: Session): void {
    const price = ownPrice(session)
    if (price !== undefined && session.model !== undefined) this.#prices.set(session.model, price)
  }

  /** An answer is often what was stored: it is put, and noted as sent with the next commit, before this reads the tree. */
  #enqueue(id: SessionId): void {
    if (this.#due.has(id)) return
    this.#due.add(id)
    setImmediate(() => setImmediate(() => this.#enter(id)))
  }

  #enter(id: SessionId): void {
    this.#queue
      .run(async () => {
        this.#due.delete(id)
        if (!this.#closed) await this.#check(id)
      })
      .catch(this.#deps.onError)
  }

  async #check(id: SessionId): Promise<void> {
    const session = await this.#deps.store.sessions.get(id)
    if (!session) return
    for (const found of await budgetsAbove(this.#deps.store, session, this)) {
      if (found.session.mustStop) await stopTree(this.#deps, found)
      else if (isUsedUp(found.use)) await interruptTree(this.#deps, found, found.use)
      await noteUse(this.#deps, found)
      this.#schedule(found)
    }
  }

  #schedule({ session: { id }, budget, spent, tree }: TreeBudget): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
    const running = tree.filter(({ status }) => status === 'running').length
    if (budget.seconds === undefined || running === 0 || this.#closed) return
    const leftMs = ((budget.seconds - spent.seconds) * 1_000) / running
    if (leftMs <= 0) return
    const timer = setTimeout(() => this.#enqueue(id), Math.min(leftMs + 1, MAX_TIMER_MS))
    timer.unref()
    this.#timers.set(id, timer)
  }
}

function ownPrice({ costUsd, spent }: Spender): number | undefined {
  return spent && spent.tokens > 0 && costUsd > 0 ? costUsd / spent.tokens : undefined
}

/** What an earlier hub may have left: work that spends, a question whose tree is at rest, a stop. */
function needsCheck(session: Session): boolean {
  if (session.mustStop || needsAnswer(session)) return true
  return isAtWork(session) && (session.parentId !== undefined || budgetOf(session) !== undefined)
}

/** After these a budget may be used up, time begins to count, or nothing is at work any more. */
const SPENDS: ReadonlySet<SessionEvent['type']> = new Set([
  'prompt.accepted',
  'turn.started',
  'text',
  'thinking',
  'tool.used',
  'message.ended',
  'tool.finished',
  'cost.reported',
  'approval.settled',
  'budget.set',
  'prompt.withdrawn',
  'turn.ended',
  'run.ended',
  'task.ended',
  'session.handed_over',
  'session.returned',
])
const MAX_FOUND = 1_000
