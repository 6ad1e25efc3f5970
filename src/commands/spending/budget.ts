import { budgetLines } from '../../budgets/budget.ts'
import { budgetFrom } from '../../budgets/budget-from-text.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { labelOf } from '../../command-line/views/session-words.ts'

/** Shows what a session and all below it may spend, or sets it. */
export async function run({ args: [sessionId = '', ...limits], out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub(limits.length === 0 ? 'reads' : 'changes')
  if (limits.length > 0) {
    const budget = limits.length === 1 && limits[0] === 'none' ? undefined : budgetFrom(limits)
    await engine.setBudget(context, { sessionId, budget })
  }
  const session = await engine.getSession(context, { sessionId })
  const { session: sums } = await engine.costs(context, { sessionId })
  if (!sums) return
  const { budget, spent } = sums
  if (out.isJson) return out.json({ id: session.id, ...(budget ? { budget } : {}), spent })
  const lines = budget ? budgetLines(budget, spent) : ['no budget of its own']
  for (const line of lines) out.line(`${labelOf(session)}  ${line}`)
}
