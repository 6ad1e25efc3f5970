import type { Grant } from '../../approvals/grants/grant.ts'
import type { Remember } from '../../approvals/grants/remember.ts'
import { cliRuleText } from '../../approvals/grants/cli-rule.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { ruleText } from '../../rules/rule-text.ts'
import type { Store } from '../../sessions/record/store.ts'
import { shortIdOf } from '../../approvals/short-id.ts'
import { sessionLabel } from '../sessions/session-names.ts'

/** A grant as callers see it. */
export interface GrantView extends Grant {
  /** Each of its rules as it is stored, in one line. */
  readonly texts: readonly string[]
  /** The exact call, and the suggested rules as Claude Code writes them; `toolName` is empty if an offered rule was remembered. */
  readonly rule: RememberedRule
  /** `NAME.N` of the question, by which the grant can be revoked; absent if the question is gone, or the caller does not see all sessions. */
  readonly question?: string | undefined
  /** The names of the sessions that it is about, by their ids; of a session that was removed the last one. */
  readonly names?: Readonly<Record<string, string>> | undefined
}

interface RememberedRule {
  readonly toolName: string
  readonly subject: string
  readonly folder?: string | undefined
  readonly rules: readonly string[]
  readonly remember: Remember
}

/** With names, if there is a store to read them from. */
export async function grantView(grant: Grant, store: Store | undefined): Promise<GrantView> {
  const { rules, scope } = grant
  const exact = rules.find((rule) => rule.exact)?.exact ?? { toolName: '', subject: '' }
  const suggested = rules.filter((rule) => !rule.exact).map(cliRuleText)
  const remember = exact.toolName !== '' && suggested.length > 0 ? 'suggested' : scope
  return {
    ...grant,
    texts: rules.map(ruleText),
    rule: { ...exact, rules: suggested, remember },
    ...(store
      ? { ...definedFields({ question: await questionOf(store, grant) }), names: await namesIn(store, grant) }
      : {}),
  }
}

/** The short id of the question that it was remembered with. */
export async function questionOf(
  store: Store,
  { sessionId, approvalId }: Pick<Grant, 'sessionId' | 'approvalId'>,
): Promise<string | undefined> {
  const approval = approvalId === undefined ? undefined : await store.approvals.get(approvalId)
  const session = approval && (await store.sessions.get(sessionId))
  return session && shortIdOf(approval, session)
}

async function namesIn(store: Store, { sessionId, rules }: Grant): Promise<Record<string, string>> {
  const ids = new Set<string>([
    sessionId,
    ...rules.flatMap(({ session = [], tree = [] }) => [...session, ...tree]),
  ])
  const named: [string, string][] = []
  for (const id of ids) {
    const { name } = await sessionLabel(store, id)
    if (name !== undefined) named.push([id, name])
  }
  return Object.fromEntries(named)
}
