import { z } from 'zod'
import { selector, wholeNumber } from '../../base/input-fields.ts'
import { freeText } from '../../child/launch/argument-text.ts'
import { MAX_DAYS, MODES, params, sessionId } from './verb-input.ts'

const MAX_RULES_TEXT = 1 << 20
const TOO_MANY_RULES = 'rules may have at most 1 MiB.'
const MAX_CALL_TEXT = 20_000

/** Rules and grants: to try, offer, import, list and revoke them. */
export const RULE_INPUTS = {
  offerRules: params({ approvalId: selector('approvalId'), sessionId: sessionId.optional() }),
  suggestRules: params({ days: wholeNumber('days', 1, MAX_DAYS).optional() }),
  replayRules: params({
    rules: z.union(
      [z.string().max(MAX_RULES_TEXT, TOO_MANY_RULES), z.record(z.string(), z.unknown())],
      'rules must be what is in a rules file, as an object or as text.',
    ),
    days: wholeNumber('days', 1, MAX_DAYS).optional(),
  }),
  importRules: params({
    settings: z
      .string('settings must be the text of a settings file of Claude Code.')
      .max(MAX_RULES_TEXT, 'settings may have at most 1 MiB.'),
    replaces: z
      .string('replaces must be the digest of the rules file.')
      .max(64, 'replaces must be the digest of the rules file.')
      .optional(),
    days: wholeNumber('days', 1, MAX_DAYS).optional(),
  }),
  exportRules: params({}),
  testCall: params({
    sessionId,
    call: freeText('call').max(MAX_CALL_TEXT, `call may have at most ${MAX_CALL_TEXT} characters.`),
    mode: z.enum(MODES, `mode must be one of ${MODES.join(', ')}.`).optional(),
  }),
  explainQuestion: params({ approvalId: selector('approvalId') }),
  listGrants: params({
    sessionId: sessionId.optional(),
    ended: z.literal(true, 'ended must be true, or left out.').optional(),
  }),
  revokeGrant: params({ sessionId: sessionId.optional(), grantId: selector('grantId') }),
}
