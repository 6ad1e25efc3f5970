import { z } from 'zod'
import { definedFields } from '../../base/defined-fields.ts'
import type { GrantId, SessionId } from '../../base/ids.ts'
import { type ExactCall, exactCallOf } from '../../rules/exact/exact-call.ts'
import { REMEMBERS, type Scope } from '../../rules/exact/grant-scopes.ts'
import type { Rule } from '../../rules/rule.ts'
import { ruleText } from '../../rules/rule-text.ts'
import { cliRuleText, type RuleSubject } from './cli-rule.ts'
import { type SuggestionSource, suggestedRules } from './suggested-rules.ts'

/** What an answer may remember: the exact call in a scope; or in its session also the rules that were suggested. */
export const Remember = z.enum(
  REMEMBERS,
  'remember must be turn, session, suggested, tree, folder or always.',
)
export type Remember = z.infer<typeof Remember>

/** The session that asks, and what its scopes are made of. */
export interface ScopePlace {
  readonly sessionId: SessionId
  /** The topmost session of its tree. */
  readonly topmostId: SessionId
  readonly workingDirectory: string
  /** Undefined between turns. */
  readonly turn?: number | undefined
}

/** A call of a tool as it was asked about, and the folder in which it would run, if known. */
interface AskedCall extends SuggestionSource {
  readonly cwd?: string | undefined
}

interface Chosen {
  readonly id: GrantId
  readonly remember: Remember
  readonly endsAt?: number | undefined
  /** In place of the exact call. */
  readonly offered?: Rule | undefined
}

export function scopeOf(remember: Remember): Scope {
  return remember === 'suggested' ? 'session' : remember
}

/** What of a call can be remembered: itself, unless its folder matters and is not known, and the suggested rules. */
export interface GrantableCall {
  readonly exact: ExactCall | undefined
  readonly suggested: readonly RuleSubject[]
}

/** Parses the call; where several scopes are shown for one call, it is parsed once for all of them. Pure. */
export function grantableCall(asked: AskedCall): GrantableCall {
  return { exact: exactCallOf(asked), suggested: suggestedRules(asked) }
}

/** The rules that an answer would add; undefined if the folder of the call matters and is not known. Pure. */
export function rulesToGrant(asked: AskedCall, place: ScopePlace, chosen: Chosen): Rule[] | undefined {
  const suggested = chosen.remember === 'suggested' ? suggestedRules(asked) : []
  return rulesOfCall({ exact: exactCallOf(asked), suggested }, place, chosen)
}

/** The same for a call that is parsed. Pure. */
export function rulesOfCall(
  { exact, suggested }: GrantableCall,
  place: ScopePlace,
  { id, remember, endsAt, offered }: Chosen,
): Rule[] | undefined {
  const scope = scopeOf(remember)
  if (!exact && !offered) return undefined
  const expires = endsAt === undefined ? undefined : new Date(endsAt).toISOString()
  const limits = { ...limitsOf(scope, place), ...definedFields({ expires }) }
  const subjects = offered
    ? [{ ...offered, examples: undefined }]
    : [{ exact: exact && exactIn(scope, exact) }, ...(remember === 'suggested' ? suggested : [])]
  // An offered rule that names a folder is about that folder, wherever else the scope reaches.
  const folder = definedFields({ folder: offered?.folder })
  return subjects.map((subject) => ({ ...subject, ...limits, ...folder, id, effect: 'allow' }))
}

function limitsOf(scope: Scope, { sessionId, topmostId, workingDirectory, turn }: ScopePlace) {
  switch (scope) {
    case 'turn':
      return { session: [sessionId], turn: turn ?? NO_TURN }
    case 'session':
      return { session: [sessionId] }
    case 'tree':
      return { tree: [topmostId] }
    case 'folder':
      return { folder: workingDirectory }
    case 'always':
      return {}
  }
}

/** A scope that is wider than a folder says itself where the call may run. */
function exactIn(scope: Scope, { folder, ...exact }: ExactCall): ExactCall {
  return scope === 'folder' || scope === 'always' ? exact : { ...exact, ...definedFields({ folder }) }
}

/** What was remembered, as text for the answerer. */
export interface Remembered {
  readonly call: string
  readonly folder?: string | undefined
  /** The suggested rules, as the CLI writes them. */
  readonly rules: readonly string[]
  /** Each rule as it is stored. */
  readonly texts: readonly string[]
}

/** Each rule as it is stored. */
export function textsOf(rules: readonly Rule[]): string[] {
  return rules.map(ruleText)
}

export function rememberedBy(rules: readonly Rule[]): Remembered {
  const exact = rules.find((rule) => rule.exact)?.exact
  const texts = textsOf(rules)
  return {
    call: exact ? `${exact.toolName}: ${exact.subject}` : texts.join('; '),
    ...definedFields({ folder: exact?.folder }),
    rules: rules.filter((rule) => !rule.exact).map(cliRuleText),
    texts,
  }
}

const NO_TURN = -1
