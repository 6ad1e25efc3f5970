import type { Grant } from '../approvals/grant.ts'
import { isGranted, rulesOf } from '../approvals/grant-rule.ts'
import type { ToolCall } from '../child/hook-opinion.ts'
import { couldMatch } from '../child/tool-rule.ts'

type Known = Pick<Grant, 'id' | 'rule' | 'by'>

/** What was remembered in a session, and what its process knows of it. */
export class Remembered {
  #grants: readonly Known[] = []
  /** The rules that the process may have: nobody can take one away from it. */
  #given: ReadonlySet<string> = new Set()

  /** As it is on record now. */
  set grants(grants: readonly Known[]) {
    this.#grants = grants
    this.#given = new Set([...this.#given, ...this.#rules])
  }

  get grants(): readonly Known[] {
    return this.#grants
  }

  /** The rules that a new process is to be given; those of the last one are gone with it. */
  begin(): string[] {
    this.#given = new Set(this.#rules)
    return this.#rules
  }

  grantOf(call: ToolCall): Known | undefined {
    return this.#grants.find(({ rule }) => isGranted(rule, call))
  }

  /** Whether the process could still let such a call run by a rule that was taken back. */
  isTakenBack(call: ToolCall): boolean {
    const rules = this.#rules
    return [...this.#given].some((rule) => !rules.includes(rule) && couldMatch(rule, call))
  }

  get #rules(): string[] {
    return rulesOf(this.#grants.map(({ rule }) => rule))
  }
}
