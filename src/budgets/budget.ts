import { limitText, moneyText, spentOfLimitText } from '../text/money-text.ts'

export const RESOURCES = ['usd', 'tokens', 'toolCalls', 'seconds'] as const
export type Resource = (typeof RESOURCES)[number]

/** What a session and all sessions below it may spend together. */
export type Budget = Readonly<{ [R in Resource]?: number | undefined }>

/** What was spent, in the units of a budget. */
export type Spent = Readonly<Record<Resource, number>>

export const NOTHING: Spent = { usd: 0, tokens: 0, toolCalls: 0, seconds: 0 }

export function sumOf(all: readonly Spent[]): Spent {
  const total = (resource: Resource) => all.reduce((sum, spent) => sum + spent[resource], 0)
  return {
    usd: total('usd'),
    tokens: total('tokens'),
    toolCalls: total('toolCalls'),
    seconds: total('seconds'),
  }
}

/** How much of one limit is used. */
export interface Use {
  readonly resource: Resource
  readonly spent: number
  readonly limit: number
}

/** How much of each limit is used, the most used first. */
export function usesOf(budget: Budget, spent: Spent): Use[] {
  const uses = RESOURCES.flatMap((resource): Use[] => {
    const limit = budget[resource]
    return limit === undefined ? [] : [{ resource, spent: spent[resource], limit }]
  })
  return uses.toSorted((a, b) => shareOf(b) - shareOf(a))
}

/** The limit that is used most; undefined if the budget has none. */
export function mostUsed(budget: Budget, spent: Spent): Use | undefined {
  return usesOf(budget, spent)[0]
}

/** A raised limit is another limit. */
export function limitKey({ resource, limit }: Pick<Use, 'resource' | 'limit'>): string {
  return `${resource} ${limit}`
}

/** What a session was started with, and what was set later: null if its budget was removed. */
interface Budgeted {
  readonly budget?: Budget | null | undefined
  readonly config: { readonly budget?: Budget | undefined; readonly maxBudgetUsd?: number | undefined }
}

/** The budget of a session and all sessions below it: the one that was set last, else that of its start. */
export function budgetOf({ budget, config }: Budgeted): Budget | undefined {
  if (budget !== undefined) return budget ?? undefined
  const { maxBudgetUsd } = config
  return maxBudgetUsd === undefined ? config.budget : { usd: maxBudgetUsd, ...config.budget }
}

export function shareOf({ spent, limit }: Use): number {
  return spent / limit
}

export function isUsedUp(use: Use | undefined): use is Use {
  return use !== undefined && shareOf(use) >= 1
}

/** From this share on a caller is warned. */
const LOW_SHARE = 0.8

export function isLow(use: Use | undefined): use is Use {
  return use !== undefined && shareOf(use) >= LOW_SHARE
}

/** What is left of each limit; a limit that is used up has 0. */
export function leftOf(budget: Budget, spent: Spent): Partial<Record<Resource, number>> {
  return Object.fromEntries(
    RESOURCES.flatMap((resource) => {
      const limit = budget[resource]
      return limit === undefined ? [] : [[resource, Math.max(0, limit - spent[resource])]]
    }),
  )
}

/** Such as `$4.10 of $5.00`, `12,000 of 20,000 tokens`. */
export function useText({ resource, spent, limit }: Use): string {
  return resource === 'usd'
    ? spentOfLimitText(spent, limit)
    : `${whole(Math.floor(spent))} of ${amountText(resource, limit)}`
}

/** Each limit and how much of it is used, the most used first. */
export function budgetLines(budget: Budget, spent: Spent): string[] {
  return usesOf(budget, spent).map(useText)
}

/** A limit, such as `$5.00`, `20,000 tokens`. */
export function amountText(resource: Resource, value: number): string {
  return resource === 'usd' ? limitText(value) : `${whole(value)} ${UNITS[resource]}`
}

/** What was spent, such as `$4.10`, `12,000 tokens`. */
export function spentText(resource: Resource, value: number): string {
  return resource === 'usd' ? moneyText(value) : amountText(resource, value)
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

const UNITS = { tokens: 'tokens', toolCalls: 'tool calls', seconds: 'seconds' }
