import type { Approval } from '../../approvals/approval.ts'
import type { Desk } from '../../approvals/desk.ts'
import { grantRuleOf, type Remembered, rememberedBy } from '../../approvals/grants/remember.ts'
import { ruleText, suggestedRules } from '../../approvals/grants/suggested-rules.ts'
import { floodText } from '../../approvals/floods/flood-question.ts'
import { type Question, questionsOf } from '../../approvals/question.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { shortIdOf } from './short-id.ts'

/** An approval with its questions in words. */
export interface QuestionInWords extends Approval {
  /** `NAME.N`, which can be used in place of the id; absent if an older version opened the question. */
  readonly shortId?: string | undefined
  readonly questions: readonly Question[]
  /** The rules that `remember: "suggested"` would add to the grant for this exact call. */
  readonly suggestedRules: readonly string[]
  /** What `remember: "session"` would remember; absent if the folder matters and is not known. */
  readonly remembers?: Remembered | undefined
  /** When it is denied without an answer, by the clock of the running hub; absent if it never is. */
  readonly expiresAt?: number | undefined
}

/** The sessions of these questions, by id; each is read once. */
export async function sessionsOf(
  store: Store,
  all: readonly Pick<Approval, 'sessionId'>[],
): Promise<Map<string, Session | undefined>> {
  const sessions = new Map<string, Session | undefined>()
  for (const { sessionId } of all)
    if (!sessions.has(sessionId)) sessions.set(sessionId, await store.sessions.get(sessionId))
  return sessions
}

/** A question as an answerer needs it. */
export function inWords(
  desk: Desk,
  approval: Approval,
  session: Session | undefined,
  held = 0,
): QuestionInWords {
  const rule = approval.kind === 'tool' ? grantRuleOf(approval, 'session') : undefined
  return {
    ...approval,
    ...definedFields({
      shortId: session && shortIdOf(approval, session),
      expiresAt: desk.expiresAt(approval.id),
      remembers: rule && rememberedBy(rule),
    }),
    questions: questionsOf(approval).map((one) =>
      approval.flood ? { ...one, question: floodText(held), freeText: false } : one,
    ),
    suggestedRules: suggestedRules(approval).map(ruleText),
  }
}
