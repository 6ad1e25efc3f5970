import type { SessionKey } from '../../base/ids.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { type Budget, budgetOf, type Spent, sumOf } from '../../budgets/budget.ts'
import { type Caller, seesAll } from '../../callers/access-rules.ts'
import type { CostOfModel } from '../../sessions/spending/model-costs.ts'
import type { SessionSum } from '../../sessions/record/session-store.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { requireSession } from '../access/session-access.ts'
import { type SessionLabel, sessionLabel } from './session-names.ts'
import { removedBelow, type SpendingContext, spentOf } from '../budgets/tree-budget.ts'
import { descendantSessions } from '../access/visible-sessions.ts'

/** Sums of cost in US dollars. */
export interface Costs {
  /** The time zone of the hub, such as Europe/Berlin: a day begins at its midnight. */
  readonly zone: string
  /** The latest day first; a day without cost has 0. */
  readonly days: readonly { readonly day: string; readonly usd: number; readonly tokens: number }[]
  /** The models that cost something in these days, most first; the name is empty for what was spent before it was kept. */
  readonly models: readonly CostOfModel[]
  /** The sessions that cost something in these days, most first; one that was removed has its last name, if the record has it. */
  readonly sessions: readonly (SessionLabel & { readonly sessionId: SessionKey; readonly usd: number })[]
  /** With `sessionId`: what it has cost in all, and with all sessions below it. */
  readonly session?: SessionCosts
}

interface SessionCosts {
  readonly sessionId: SessionKey
  readonly usd: number
  readonly treeUsd: number
  /** How many sessions are below it. */
  readonly below: number
  /** What it and all sessions below it have spent, with an estimate for turns that run. */
  readonly spent: Spent
  /** What they may spend together. */
  readonly budget?: Budget | undefined
}

/** Of the sessions that the caller may read, or of one session and those below it. */
export async function sumCosts(
  store: Store,
  caller: Caller,
  { sessionId, days = 1 }: { sessionId?: SessionKey | undefined; days?: number | undefined },
  spending: SpendingContext,
): Promise<Costs> {
  const now = spending.now()
  const named = sessionId === undefined ? undefined : await requireSession(store, caller, 'read', sessionId)
  const isCounted = await countedFor(store, caller, named)
  const sums: { day: string; sessions: SessionSum[] }[] = []
  for (const { day, from, until } of localDays(now, days))
    sums.push({ day, sessions: (await store.costs.between(from, until)).filter(isCounted) })
  const all = bySession(sums.flatMap(({ sessions }) => sessions))
  const listed = [...all].toSorted(([, a], [, b]) => b - a).slice(0, MAX_LISTED)
  return {
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    days: sums.map(({ day, sessions }) => ({ day, ...total(sessions) })),
    models: byModel(sums.flatMap(({ sessions }) => sessions)),
    sessions: await Promise.all(
      listed.map(async ([id, usd]) => ({
        sessionId: id,
        ...(await sessionLabel(store, id)),
        usd: rounded(usd),
      })),
    ),
    ...(named ? { session: await costsOf(store, named, spending) } : {}),
  }
}

async function costsOf(
  store: Store,
  session: Session,
  { steadyNow, priceOf }: SpendingContext,
): Promise<SessionCosts> {
  const { id: sessionId, costUsd: usd } = session
  const below = await descendantSessions(store, sessionId)
  const removed = await removedBelow(store, [session, ...below])
  const treeUsd = rounded([...below, ...removed].reduce((sum, one) => sum + one.costUsd, usd))
  const spent = sumOf([session, ...below, ...removed].map((one) => spentOf(one, steadyNow(), priceOf(one))))
  const sums = { sessionId, usd: rounded(usd), treeUsd, below: below.length }
  return {
    ...sums,
    spent: { ...spent, usd: rounded(spent.usd) },
    ...definedFields({ budget: budgetOf(session) }),
  }
}

async function countedFor(
  store: Store,
  caller: Caller,
  named: Session | undefined,
): Promise<(sum: SessionSum) => boolean> {
  const root = named?.id ?? (caller.kind === 'session' ? caller.name : undefined)
  if (root !== undefined) {
    const below = await descendantSessions(store, root)
    const removed = await removedBelow(store, [{ id: root }, ...below])
    const ids = new Set([...below, ...removed].map(({ id }): SessionKey => id))
    if (named) ids.add(named.id)
    return ({ sessionId }) => ids.has(sessionId)
  }
  return ({ owner }) => seesAll(caller) || owner === caller.id
}

/** Days of this process's time zone, the latest first. A day is not always 24 hours long. */
export function localDays(now: number, count: number): { day: string; from: number; until: number }[] {
  const today = new Date(now)
  const midnight = (daysAgo: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo)
  return Array.from({ length: count }, (_, daysAgo) => {
    const from = midnight(daysAgo)
    const parts = [from.getFullYear(), from.getMonth() + 1, from.getDate()]
    const day = parts.map((part) => String(part).padStart(2, '0')).join('-')
    return { day, from: from.getTime(), until: midnight(daysAgo - 1).getTime() }
  })
}

function bySession(sums: readonly SessionSum[]): Map<SessionKey, number> {
  const found = new Map<SessionKey, number>()
  for (const { sessionId, usd } of sums) found.set(sessionId, usd + (found.get(sessionId) ?? 0))
  return found
}

function byModel(sums: readonly SessionSum[]): CostOfModel[] {
  const models = [...new Set(sums.map(({ model }) => model))]
  const all = models.map((model) => ({ model, ...total(sums.filter((sum) => sum.model === model)) }))
  return all.toSorted((a, b) => b.usd - a.usd || b.tokens - a.tokens)
}

function total(sums: readonly SessionSum[]): { usd: number; tokens: number } {
  return {
    usd: rounded(sums.reduce((sum, { usd }) => sum + usd, 0)),
    tokens: sums.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

/** Sums of fractions have endless digits. */
function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6
}

const MAX_LISTED = 500
