import type { Approval } from '../../approvals/approval.ts'
import type { Desk } from '../../approvals/desk.ts'
import { rulesToGrant, type ScopePlace } from '../../approvals/grants/remember.ts'
import { AppError } from '../../base/errors.ts'
import { GrantId } from '../../base/ids.ts'
import { type Caller, mayRememberWidely, seesAll } from '../../callers/access-rules.ts'
import { compileRules, type RuleList } from '../../rules/compiled-rules.ts'
import { decideByList, type RuleSet } from '../../rules/decide.ts'
import { SCOPES, type Scope } from '../../rules/exact/grant-scopes.ts'
import { offeredRules } from '../../rules/learning/offered-rules.ts'
import { type ReplayChange, ReplayTally } from '../../rules/learning/replay.ts'
import type { Rule } from '../../rules/rule.ts'
import { ruleText } from '../../rules/rule-text.ts'
import { NO_RULES } from '../../rules/rules-file.ts'
import { verdictAnew } from '../../sessions/in-advance/judge-anew.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import { findQuestion } from '../questions/answer-question.ts'
import { placeOf, scopePlaceOf } from '../questions/question-words.ts'
import { type LearningDeps, type PastCall, pastCalls, rulesNow } from './past-questions.ts'
import { DAY_MS, DEFAULT_DAYS } from './replay-rules.ts'

export interface OfferDeps extends LearningDeps {
  readonly supervisor: Supervisor
}

/** A rule that can be remembered with the answer to a question, in place of the exact call. */
interface RuleOffer {
  /** For `rememberRule`. With `-yes` after it where `needsYes` is true. */
  readonly id: string
  readonly text: string
  readonly rule: Rule
  /** What `remember` may be, for this caller. */
  readonly scopes: readonly Scope[]
  /** For each of them the text of the rule as it would be stored; the time of its end is added when it is. */
  readonly texts: Readonly<Partial<Record<Scope, string>>>
  /** The stored questions that it would have allowed in any session, and that were not allowed by a rule. */
  readonly newlyAllowed: ReplayChange
  /** It would have allowed what was denied. */
  readonly needsYes: boolean
}

export interface RuleOffers {
  /** The narrowest first; each was tried on this very call, and decides it. */
  readonly offers: readonly RuleOffer[]
  /** With how many stored questions they were compared, and since when; in ms since 1970. */
  readonly compared: { readonly questions: number; readonly since: number }
}

export async function offerRules(
  deps: OfferDeps & { readonly desk: Desk },
  caller: Caller,
  named: { approvalId: string; sessionId?: string | undefined },
): Promise<RuleOffers> {
  const { approval, session } = await findQuestion(deps, caller, named, 'read')
  const place = scopePlaceOf(approval, await placeOf(deps.store, session))
  // A session remembers no rule for a session below it, so it is offered none.
  const rules = caller.kind === 'session' ? [] : await rulesFor(deps, approval)
  const { changes, questions, since } = await compare(deps, rules)
  const scopes = SCOPES.filter(
    (scope) => mayRememberWidely(caller) || scope === 'turn' || scope === 'session',
  )
  const offers = rules.map((rule, index) => {
    const change = changes[index] ?? NO_CHANGE
    return {
      id: rule.id,
      text: ruleText(rule),
      rule,
      scopes,
      texts: Object.fromEntries(
        scopes.map((scope) => [scope, storedText(approval, place, { scope, offered: rule })]),
      ),
      newlyAllowed: seesAll(caller) ? change : { ...change, examples: [] },
      needsYes: change.denied > 0,
    }
  })
  return { offers, compared: { questions, since } }
}

function storedText(
  approval: Approval,
  place: ScopePlace,
  { scope, offered }: { scope: Scope; offered: Rule },
): string {
  const rules = rulesToGrant(approval, place, { id: NO_GRANT, remember: scope, offered })
  return (rules ?? []).map(ruleText).join('; ')
}

/** The rule that a question offers under an id; an error says why it needs a second yes. */
export async function offeredRule(
  deps: OfferDeps,
  approval: Approval,
  id: string,
): Promise<Rule | undefined> {
  const wanted = id.endsWith(YES) ? id.slice(0, -YES.length) : id
  const rule = (await rulesFor(deps, approval)).find((one) => one.id === wanted)
  if (!rule || id !== wanted) return rule
  const { changes } = await compare(deps, [rule])
  const { denied } = changes[0] ?? NO_CHANGE
  if (denied === 0) return rule
  // Which they were, the offer says: they may be of sessions that this caller may not read.
  throw new AppError(
    'invalid_input',
    `The rule ${id} would have allowed ${denied === 1 ? 'a call that was' : `${denied} calls that were`} denied; to remember it all the same, give rememberRule as ${id}${YES}.`,
  )
}

/** Tried by the real rules of the session on the very call. */
async function rulesFor({ supervisor }: OfferDeps, approval: Approval): Promise<Rule[]> {
  if (approval.kind !== 'tool' || approval.status !== 'pending') return []
  const { questions } = await supervisor.wake(approval.sessionId)
  const offered = offeredRules(approval, questions.offerContext)
  return offered.filter((rule) => questions.askedDespite(approval, [rule]) === undefined)
}

/** What each of these rules would have allowed, of the newest questions of all sessions. */
async function compare(deps: LearningDeps, rules: readonly Rule[]) {
  const since = Date.now() - DEFAULT_DAYS * DAY_MS
  const lists = rules.map((rule) => compileRules([rule]))
  const tallies = rules.map(() => new ReplayTally())
  const file = rulesNow(deps)?.rules ?? NO_RULES
  let questions = 0
  let oldest = since
  const pages = rules.length === 0 ? [] : pastCalls(deps, { since, max: MAX_QUESTIONS })
  for await (const calls of pages)
    for (const { question, judged } of calls) {
      questions += 1
      oldest = question.at
      for (const [index, list] of lists.entries()) {
        const isAllowed = allows(list, { question, judged }, file)
        tallies[index]?.add(question, isAllowed ? 'allowed' : question.outcome, rules[index]?.id)
      }
    }
  return {
    questions,
    since: questions >= MAX_QUESTIONS ? oldest : since,
    changes: tallies.map((tally) => tally.report().newlyAllowed),
  }
}

function allows(list: RuleList, { question: { call }, judged }: PastCall, file: RuleSet): boolean {
  if (decideByList(call, judged.context, list, 'granted').effect !== 'allow') return false
  return verdictAnew(call, file, judged, list).effect === 'allow'
}

const YES = '-yes'
/** The text of a rule does not have its id. */
const NO_GRANT = GrantId.parse('')
const NO_CHANGE: ReplayChange = { count: 0, denied: 0, examples: [] }
/** An answer waits for this: the offer says how far back they go. */
const MAX_QUESTIONS = 20_000
