import { definedFields } from '../../base/defined-fields.ts'
import type { SessionId } from '../../base/ids.ts'
import type { ToolCall } from '../../child/policy/hook-opinion.ts'
import { cwdOf } from '../../child/state/run-state.ts'
import { compileRules, type RuleList } from '../../rules/compiled-rules.ts'
import { decideByList } from '../../rules/decide.ts'
import type { RuleContext } from '../../rules/rule-call.ts'
import { NO_RULES, type RulesNow } from '../../rules/rules-file.ts'
import { type Drawer, strictest, type StoredVerdict, type Verdict } from '../../rules/verdict.ts'
import type { ShellContext } from '../../shell/harmless.ts'
import type { SessionGrants } from './session-grants.ts'
import type { HubEnvironment } from '../launch/hub-environment.ts'
import type { SessionState } from '../record/session-state.ts'
import type { Session } from '../record/session.ts'

interface Parts {
  readonly session: () => Session
  readonly state: () => Pick<SessionState, 'open'>
  readonly environment: Pick<HubEnvironment, 'rules' | 'repositoryRules' | 'env'>
  readonly grants: SessionGrants
}

/** A session above, the nearest first; its row may be gone. */
export interface AncestorSession {
  readonly id: SessionId
  readonly name?: string | undefined
  readonly gone?: boolean | undefined
}

/** A list of rules with what decides by it. */
interface Source {
  readonly drawer: Drawer
  readonly list: RuleList
  readonly digest?: string | undefined
  /** Why its rules are not to be trusted: then they ask about whatever they decide. */
  readonly fault?: string | undefined
}

/**
 * What the rules say of the calls of one session: those of the home folder, of its repository and of its start, and where none
 * of them decides, those that were remembered with answers.
 */
export class SessionRules {
  readonly #parts: Parts
  readonly #own: RuleList
  ancestors: readonly AncestorSession[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    this.#own = compileRules(parts.session().config.rules ?? [])
  }

  /** Whether any rule could decide something. */
  exist(place: ShellContext): boolean {
    const { rules, fault } = this.#home
    const lists = [rules.forbid, rules.rules, this.#own, this.#parts.grants.list]
    const none = lists.every((list) => list.rules.length === 0)
    return !none || fault !== undefined || this.#repository(place) !== undefined
  }

  forbidden(call: ToolCall, place: ShellContext): StoredVerdict | undefined {
    const { rules } = this.#home
    return this.#verdict(call, place, [{ drawer: 'forbid', list: rules.forbid, digest: rules.digest }])
  }

  decided(call: ToolCall, place: ShellContext): StoredVerdict | undefined {
    return this.written(call, place) ?? this.granted(call, place)
  }

  /** What was remembered with answers; by default all of it. */
  granted(call: ToolCall, place: ShellContext, list = this.#parts.grants.list): StoredVerdict | undefined {
    return this.#verdict(call, place, [{ drawer: 'granted', list }])
  }

  /** What the rules say that a person or a program has written. */
  written(call: ToolCall, place: ShellContext): StoredVerdict | undefined {
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
    const { session, state, environment, grants } = this.#parts
    const { id, name, owner, config } = session()
    const located = { ...call, cwd: call.cwd ?? cwdOf(state().open, call.toolUseId) }
    const chain = [{ id, name }, ...this.ancestors]
    const context = {
      place,
      userHome: environment.env['HOME'],
      caller: owner,
      turn: grants.turn,
      harmlessIsAllowed: config.supervise === 'asked',
    }
    const found = sources.map((source) => {
      // A rule of a file ends when it says, also one that refuses; only what was remembered has no time to gain by a wrong clock.
      const now = source.drawer === 'granted' ? grants.now() : Date.now()
      // What a session above may not do itself, no rule allows to this one.
      const verdicts = chain.map((_, above) =>
        decideBy(source, located, { ...context, now, sessions: chain.slice(above) }),
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
  return { effect, drawer, ...definedFields({ ruleId, text, because, answerers, timeoutMs, digest }) }
}
