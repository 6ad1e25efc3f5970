import { z } from 'zod'

const amount = (field: string, unit: string) =>
  z
    .number(`budget: ${field} must be a number of ${unit}.`)
    .positive(`budget: ${field} must be more than 0; leave it out for no limit.`)
    .max(1e15, `budget: ${field} is too large; leave it out for no limit.`)
    .optional()

/** What a session and all sessions below it may spend together. */
export const BudgetSchema = z
  .strictObject(
    {
      usd: amount('usd', 'dollars').describe('US dollars.'),
      tokens: amount('tokens', 'tokens').describe('Tokens that models read and write, cached ones too.'),
      toolCalls: amount('toolCalls', 'calls').describe('Calls of tools.'),
      seconds: amount('seconds', 'seconds').describe(
        'Time at work, without the time that it waits for answers.',
      ),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `budget has no ${issue.keys.join(', ')}; it may have usd, tokens, toolCalls and seconds.`
          : 'budget must be an object with usd, tokens, toolCalls or seconds.',
    },
  )
  .refine((budget) => Object.values(budget).some((limit) => limit !== undefined), {
    error: 'budget is empty; give usd, tokens, toolCalls or seconds, or leave it out.',
  })
