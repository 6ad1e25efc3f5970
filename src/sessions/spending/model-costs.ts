import type { EventOf } from '../../events/session-event.ts'

/** What one model has cost. */
interface ModelCost {
  readonly usd: number
  readonly tokens: number
}

/**
 * What each model of a session has cost, by the reports of the CLI, which are sums of its process. It is part of checkpoints, so
 * its fields keep their names.
 */
export interface ModelCosts {
  readonly sums: Readonly<Record<string, ModelCost>>
  /** The last sums that the process reported. */
  readonly reported: Readonly<Record<string, ModelCost>>
}

export const NO_MODEL_COSTS: ModelCosts = { sums: {}, reported: {} }

/** A sum below the last one is of a new process, which began at 0. */
export function withModelReport(
  { sums, reported }: ModelCosts,
  models: EventOf<'cost.reported'>['models'],
): ModelCosts {
  const next: Record<string, ModelCost> = { ...sums }
  for (const [model, now] of Object.entries(models ?? {})) {
    const [before, last] = [costIn(sums, model), costIn(reported, model)]
    next[model] = {
      usd: before.usd + (now.usd >= last.usd ? now.usd - last.usd : now.usd),
      tokens: before.tokens + (now.tokens >= last.tokens ? now.tokens - last.tokens : now.tokens),
    }
  }
  return { sums: next, reported: { ...reported, ...models } }
}

/** The next process counts from 0, unless its version continues the sums of the conversation. */
export function modelCostsAfterRun(costs: ModelCosts, continues: boolean): ModelCosts {
  return continues || Object.keys(costs.reported).length === 0 ? costs : { ...costs, reported: {} }
}

export interface CostOfModel extends ModelCost {
  readonly model: string
}

/** What a session and its models had cost at some step. */
interface CostNow {
  readonly usd: number
  readonly tokens: number
  readonly models: ModelCosts['sums']
}

/** What was spent between two steps, by model. What no model is named for counts for the model of the turn. */
export function costsBetween(before: CostNow, after: CostNow, model = ''): CostOfModel[] {
  const named = Object.entries(after.models).map(([name, sum]) => {
    const { usd, tokens } = costIn(before.models, name)
    return { model: name, usd: sum.usd - usd, tokens: sum.tokens - tokens }
  })
  const total = (of: 'usd' | 'tokens') => named.reduce((sum, one) => sum + one[of], 0)
  const rest = {
    model,
    usd: after.usd - before.usd - total('usd'),
    tokens: after.tokens - before.tokens - total('tokens'),
  }
  return [...named, rest].filter(({ usd, tokens }) => usd > TINY || tokens > 0)
}

/** A name is the CLI's: one that every object has must not find that. */
function costIn(costs: ModelCosts['sums'], model: string): ModelCost {
  return (Object.hasOwn(costs, model) ? costs[model] : undefined) ?? NOTHING
}

const NOTHING: ModelCost = { usd: 0, tokens: 0 }
/** Sums of fractions differ in their last digits. */
const TINY = 1e-9
