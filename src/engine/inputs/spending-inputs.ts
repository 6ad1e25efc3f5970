import { wholeNumber } from '../../base/input-fields.ts'
import { BudgetSchema } from '../../budgets/budget-schema.ts'
import { MAX_DAYS, params, sessionId } from './verb-input.ts'

/** What sessions cost, and what they may cost. */
export const SPENDING_INPUTS = {
  costs: params({ sessionId: sessionId.optional(), days: wholeNumber('days', 1, MAX_DAYS).optional() }),
  listBudgets: params({}),
  setBudget: params({ sessionId, budget: BudgetSchema.optional() }),
}
