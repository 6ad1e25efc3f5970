import type { Grant } from '../../approvals/grants/grant.ts'
import { isGranted, narrowedRule, cliRulesOf } from '../../approvals/grants/remember.ts'
import { couldMatch } from '../../child/launch/tool-rule.ts'
import type { ToolCall } from '../../child/policy/hook-opinion.ts'
import { cwdOf } from '../../child/state/run-state.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { SessionState } from '../record/session-state.ts'

type GrantInUse = Pick<Grant, 'id' | 'rule' | 'by'>

/** The grants of a session as they are on record now: calls that need no new answer. */
export class SessionGrants {
  readonly #state: () => Pick<SessionState, 'given' | 'open'>
  grants: readonly GrantInUse[] = []

  constructor(state: () => Pick<SessionState, 'given' | 'open'>) {
    this.#state = state
  }

  add(grant: GrantInUse): void {
    this.grants = [...this.grants, grant]
  }

  /** The grants that a new process is given as rules of the CLI. */
  get rules(): string[] {
    return cliRulesOf(this.grants.map(({ rule }) => rule))
  }

  grantOf(call: ToolCall): GrantInUse | undefined {
    const cwd = call.cwd ?? cwdOf(this.#state().open, call.toolUseId)
    return this.grants.find(({ rule }) => isGranted(rule, { ...call, cwd }))
  }

  /** Whether the process could still let such a call run by a rule that was revoked. */
  isRevoked(call: ToolCall): boolean {
    const { rules } = this
    return this.#state().given.some((rule) => !rules.includes(rule) && couldMatch(rule, call))
  }
}

/** What an older version remembered more widely holds for the exact call only, and the events say so. Pure. */
export function narrowGrants(
  grants: readonly Grant[],
  workingDirectory: string,
): { grants: Grant[]; events: SessionEvent[] } {
  const events: SessionEvent[] = []
  const narrowed = grants.map((grant) => {
    const left = narrowedRule(grant.rule, workingDirectory)
    if (!left) return grant
    events.push({ type: 'grant.narrowed', grantId: grant.id, rules: [...left.dropped], rule: left.rule })
    return { ...grant, rule: left.rule }
  })
  return { grants: narrowed, events }
}
