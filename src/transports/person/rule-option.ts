import type { Answer } from '../../approvals/answer.ts'
import type { CallContext, Engine, PendingQuestion } from '../../engine/engine.ts'
import { visibleText } from '../../text/visible-text.ts'

/**
 * One more option of a form about a tool: to allow it and remember the narrowest rule that it offers in its session. The
 * option has the text of that rule as it would be stored, and its id: the answer may reach another process than the form left.
 */
export async function ruleOption(
  engine: Engine,
  call: CallContext,
  { id: approvalId, sessionId, remembers }: PendingQuestion,
): Promise<string | undefined> {
  // A session remembers no rule for a session below it.
  if (!remembers || call.caller.kind === 'session') return undefined
  const found = await engine.offerRules(call, { approvalId, sessionId }).catch(() => undefined)
  const [offer] = found?.offers ?? []
  // A form has no second question, so that a rule that needs a second yes is not in it.
  const text = offer?.needsYes ? undefined : offer?.texts.session
  if (!offer || text === undefined) return undefined
  const option = `${START}${offer.id}): ${visibleText(text).replaceAll('\n', ' ')}`
  // What cannot be shown whole is not offered.
  return option.length > MAX_OPTION ? undefined : option
}

/** The answer that such an option stands for. Whether the question offers that rule is for the hub to check. */
export function answerOfRuleOption(option: string): Answer | undefined {
  const [, rememberRule] = CHOSEN.exec(option) ?? []
  return rememberRule === undefined ? undefined : { answers: ['allow'], remember: 'session', rememberRule }
}

const START = 'allow, and do not ask again in this session ('
const CHOSEN = /^allow, and do not ask again in this session \((r-[0-9a-f]+)\): /
const MAX_OPTION = 300
