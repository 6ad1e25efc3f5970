import { z } from 'zod'
import type { RuleOffers } from '../../engine/engine.ts'
import { shortenText } from './shorten-text.ts'

/** The rules that an answer can remember, in the result of both families. */
export const OfferedRulesView = z
  .looseObject({
    rules: z.array(
      z.looseObject({
        id: z.string(),
        text: z.string().describe('The rule, as it is stored for its session.'),
        allowed: z.number().describe('How many stored questions it would have allowed.'),
        denied: z
          .number()
          .describe('How many of these were denied. If any: it is remembered only with -yes after its id.'),
        examples: z.array(z.string()).describe('Some of these, those that were denied first.'),
      }),
    ),
    compared: z
      .looseObject({ questions: z.number(), since: z.string() })
      .describe('With how many stored questions they were compared, since when.'),
  })
  .describe(
    'Rules that can be remembered in place of the exact call, the narrowest first; each decides this call. Empty: only the exact call can be remembered.',
  )
export type OfferedRulesView = z.infer<typeof OfferedRulesView>

export function offeredRulesView({ offers, compared }: RuleOffers): OfferedRulesView {
  return {
    rules: offers.map(({ id, text, texts, newlyAllowed: { count, denied, examples } }) => ({
      id,
      text: texts.session ?? text,
      allowed: count,
      denied,
      examples: examples.map(({ call, status }) => `${shortenText(call, MAX_CALL)} (was ${status})`),
    })),
    compared: { questions: compared.questions, since: new Date(compared.since).toISOString() },
  }
}

const MAX_CALL = 300
