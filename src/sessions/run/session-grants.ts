import type { Grant } from '../../approvals/grant.ts'
import { isGranted, cliRulesOf } from '../../approvals/grant-rule.ts'
import type { ToolCall } from '../../child/policy/hook-opinion.ts'
import { cwdOf } from '../../child/state/run-state.ts'
import { couldMatch } from '../../child/launch/tool-rule.ts'
import type { SessionState } from '../record/session-state.ts'

/** What was remembered in a session, as it is on record now. */
export class Remembered {
  readonly #state: () => Pick<SessionState, 'given' | 'open'>
  grants: readonly Pick<Grant, 'id' | 'rule' | 'by'>[] = []

  constructor(state: () => Pick<SessionState, 'given' | 'open'>) {
    this.#state = state
  }

  /** The rules that a new process is to be given. */
  get rules(): string[] {
    return cliRulesOf(this.grants.map(({ rule }) => rule))
  }

  grantOf(call: ToolCall): Remembered['grants'][number] | undefined {
    const cwd = call.cwd ?? cwdOf(this.#state().open, call.toolUseId)
    return this.grants.find(({ rule }) => isGranted(rule, { ...call, cwd }))
  }

  /** Whether the process could still let such a call run by a rule that was taken back. */
  isTakenBack(call: ToolCall): boolean {
    const { rules } = this
    return this.#state().given.some((rule) => !rules.includes(rule) && couldMatch(rule, call))
  }
}
