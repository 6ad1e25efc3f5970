import type { ToolCall } from '../../child/policy/hook-opinion.ts'
import { cwdOf } from '../../child/state/run-state.ts'
import { compileRules, type RuleList } from '../../rules/compiled-rules.ts'
import { decideByList } from '../../rules/decide.ts'
import type { RuleContext } from '../../rules/rule-call.ts'
import { NO_RULES, type RulesNow } from '../../rules/rules-file.ts'
import { type Drawer, strictest, type StoredVerdict, type Verdict } from '../../rules/verdict.ts'
import type { ShellContext } from '../../shell/harmless.ts'
import type { HubEnvironment } from '../launch/hub-environment.ts'
import type { SessionState } from '../record/session-state.ts'
import type { Session } from '../record/session.ts'

interface Parts {
  readonly session: () => Session
  readonly state: () => Pick<SessionState, 'open'>
  readonly environment: Pick<HubEnvironment, 'rules' | 'repositoryRules' | 'env'>
  readonly now?: (() => number) | undefined
}

/** A list of rules with what decides by it. */
interface Source {
  readonly drawer: Drawer
  readonly list: RuleList
  readonly digest?: string | undefined
  /** Why its rules are not to be trusted: then they ask about whatever they decide. */
  readonly fault?: string | undefined
}

/** What the rules say of the calls of one session: those of the home folder, of its repository and of its start. */
export class SessionRules {
  readonly #parts: Parts
  readonly #own: RuleList
  /** The sessions above, the nearest first. */
  ancestors: RuleContext['sessions'] = []

  constructor(parts: Parts) {
    this.#parts = parts
    this.#own = compileRules(parts.session().config.rules ?? [])
  }

  /** Whether any rule could decide something. */
  exist(place: ShellContext): boolean {
    const { rules, fault } = this.#home
    const none = rules.forbid.rules.length + rules.rules.rules.length + this.#own.rules.length === 0
    return !none || fault !== undefined || this.#repository(place) !== undefined
  }

  forbidden(call: ToolCall, place: ShellContext): StoredVerdict | undefined {
    const { rules } = this.#home
    return this.#verdict(call, place, [{ drawer: 'forbid', list: rules.forbid, digest: rules.digest }])
  }

  decided(call: ToolCall, place: ShellContext): StoredVerdict | undefined {
    const repository = this.#repository(place)
    return this.#verdict(call, place, [
      { drawer: 'session', list: this.#own },
      ...(repository ? [sourceOf('repository', repository)] : []),
      sourceOf('rules', this.#home),
    ])
  }

  get #home(): RulesNow {
    return this.#parts.environment.rules?.() ?? { rules: NO_RULES }
  }

  /** Only of a folder that its person has trusted. */
  #repository(place: ShellContext): RulesNow | undefined {
    return place.trusted ? this.#parts.environment.repositoryRules?.(place.cwd) : undefined
  }

  #verdict(call: ToolCall, place: ShellContext, sources: readonly Source[]): StoredVerdict | undefined {
    const { session, state, environment, now = Date.now } = this.#parts
    const { id, name, owner, config } = session()
    const located = { ...call, cwd: call.cwd ?? cwdOf(state().open, call.toolUseId) }
    const chain = [{ id, ...(name === undefined ? {} : { name }) }, ...this.ancestors]
    const context = {
      place,
      userHome: environment.env['HOME'],
      caller: owner,
      now: now(),
      harmlessIsAllowed: config.supervise === 'asked',
    }
    const found = sources.map((source) => {
      // What a session above may not do itself, no rule allows to this one.
      const verdicts = chain.map((_, above) =>
        decideBy(source, located, { ...context, sessions: chain.slice(above) }),
      )
      const [own = { effect: 'none' }, ...aboves] = verdicts
      const strict = strictest(aboves.filter(({ effect }) => effect !== 'allow'))
      return { source, verdict: strictest([own, strict]) }
    })
    const verdict = strictest(found.map((one) => one.verdict))
    const digest = found.find(({ verdict: one }) => isSameRule(one, verdict))?.source.digest
    return stored(verdict, digest)
  }
}

function sourceOf(drawer: Drawer, { rules, fault }: RulesNow): Source {
  return { drawer, list: rules.rules, digest: rules.digest, fault }
}

/** A list that is not to be trusted asks about whatever it decides; an error while it is read does too. */
function decideBy({ drawer, list, fault }: Source, call: ToolCall, context: RuleContext): Verdict {
  if (fault !== undefined && list.rules.length === 0)
    return { effect: 'ask', drawer: 'fault', because: fault }
  try {
    const verdict = decideByList(call, context, list, drawer)
    return fault === undefined || verdict.effect === 'none'
      ? verdict
      : { ...verdict, effect: 'ask', drawer: 'fault', because: fault }
  } catch {
    return { effect: 'ask', drawer: 'fault', because: 'The rules could not be compared with this call.' }
  }
}

function isSameRule(a: Verdict, b: Verdict): boolean {
  return a.effect === b.effect && a.drawer === b.drawer && a.ruleId === b.ruleId
}

function stored(verdict: Verdict, digest: string | undefined): StoredVerdict | undefined {
  const { effect, drawer, ruleId, text, because, answerers, timeoutMs } = verdict
  if (effect === 'none' || drawer === undefined) return undefined
  return {
    effect,
    drawer,
    ...(ruleId === undefined ? {} : { ruleId }),
    ...(text === undefined ? {} : { text }),
    ...(because === undefined ? {} : { because }),
    ...(answerers ? { answerers } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(digest === undefined ? {} : { digest }),
  }
}
