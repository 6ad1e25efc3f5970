import type { Grant } from '../../approvals/grants/grant.ts'
import { compileRules, type RuleList } from '../../rules/compiled-rules.ts'
import type { SessionState } from '../record/session-state.ts'
import type { HomeGrants } from './home-grants.ts'

/** The grants of a session as they are on record now, as rules: calls that need no new answer. */
export class SessionGrants {
  readonly #home: HomeGrants
  readonly #state: () => Pick<SessionState, 'turn' | 'inTurn'>
  /** Those that hold for this session alone. */
  #own: readonly Grant[] = []
  #made: Made | undefined

  constructor(home: HomeGrants, state: () => Pick<SessionState, 'turn' | 'inTurn'>) {
    this.#home = home
    this.#state = state
  }

  use(own: readonly Grant[]): void {
    this.#own = own
    for (const { at } of own) this.#home.time.notBefore(at)
  }

  add(grant: Grant): void {
    this.#home.add(grant)
    if (!this.#home.wide.includes(grant)) this.#own = [...this.#own, grant]
  }

  /** By the hub's clock. */
  now(): number {
    return this.#home.time.now()
  }

  /** The turn that runs now. */
  get turn(): number | undefined {
    const { turn, inTurn } = this.#state()
    return inTurn ? turn : undefined
  }

  byId(id: string): Grant | undefined {
    return this.#all.find((grant) => grant.id === id)
  }

  /** The rules of all that could hold here, compiled once; each is checked again when it is used. */
  get list(): RuleList {
    const { wide } = this.#home
    if (this.#made?.own !== this.#own || this.#made.wide !== wide) {
      const rules = this.#all.flatMap((grant) => grant.rules)
      this.#made = { own: this.#own, wide, list: compileRules(rules), ends: this.#all.filter(endsByItself) }
    }
    for (const grant of this.#made.ends) if (this.#isOver(grant)) this.#home.reportOver(grant)
    return this.#made.list
  }

  get #all(): readonly Grant[] {
    return [...this.#own, ...this.#home.wide]
  }

  #isOver({ endsAt, scope, rules }: Grant): boolean {
    if (endsAt !== undefined && this.now() >= endsAt) return true
    return scope === 'turn' && rules[0]?.turn !== this.turn
  }
}

interface Made {
  readonly own: readonly Grant[]
  readonly wide: readonly Grant[]
  readonly list: RuleList
  readonly ends: readonly Grant[]
}

function endsByItself({ scope, endsAt }: Grant): boolean {
  return scope === 'turn' || endsAt !== undefined
}
