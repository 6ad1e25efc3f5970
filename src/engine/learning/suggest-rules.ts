import type { Caller } from '../../callers/access-rules.ts'
import { compileRules, type RuleList } from '../../rules/compiled-rules.ts'
import { decideByList, type RuleSet } from '../../rules/decide.ts'
import { AnswerGroups, type Suggestion } from '../../rules/learning/suggestions.ts'
import type { Rule } from '../../rules/rule.ts'
import { ruleText } from '../../rules/rule-text.ts'
import { NO_RULES } from '../../rules/rules-file.ts'
import { verdictAnew } from '../../sessions/in-advance/judge-anew.ts'
import { visibleFilter } from '../questions/list-decisions.ts'
import { type LearningDeps, type PastCall, pastCalls, rulesNow } from './past-questions.ts'
import { DAY_MS, DEFAULT_DAYS, requireNoSession } from './replay-rules.ts'

export interface SuggestedRule {
  readonly rule: Rule
  readonly text: string
  /** How many answers it is made from; the same answer each time. */
  readonly answers: number
  /** How many questions it would have answered by itself, all with the answer that they got or would have expired without. */
  readonly questions: number
}

/**
 * Rules for what was answered alike at least three times, the most useful first. None of them would have decided a question
 * against its answer, and none is about what is forbidden.
 */
export async function suggestRules(
  deps: LearningDeps,
  caller: Caller,
  { days = DEFAULT_DAYS }: { days?: number | undefined },
): Promise<SuggestedRule[]> {
  requireNoSession(caller)
  const file = rulesNow(deps)?.rules ?? NO_RULES
  const which = {
    ...(await visibleFilter(deps.store, caller)),
    since: Date.now() - days * DAY_MS,
    max: MAX_QUESTIONS,
  }
  const groups = new AnswerGroups()
  for await (const calls of pastCalls(deps, which))
    for (const past of calls) {
      const answer = answerOf(past)
      if (answer && isOpen(past, file)) groups.add(past.question, past.judged.context, answer)
    }
  const candidates = groups.suggestions().map((suggestion) => new Candidate(suggestion))
  if (candidates.length > 0)
    for await (const calls of pastCalls(deps, which))
      for (const past of calls) for (const candidate of candidates) candidate.compare(past, file)
  return candidates
    .flatMap((candidate) => candidate.suggested ?? [])
    .toSorted((a, b) => b.questions - a.questions)
    .slice(0, MAX_SUGGESTIONS)
}

/** The answer that a caller gave; what a rule or nobody decided teaches nothing. */
function answerOf({ question: { status, outcome, wasDenied } }: PastCall): 'allow' | 'deny' | undefined {
  if (outcome !== 'asked') return undefined
  if (status === 'allowed') return 'allow'
  return wasDenied ? 'deny' : undefined
}

/** Neither forbidden nor decided by the rules that there are. */
function isOpen({ question, judged }: PastCall, file: RuleSet): boolean {
  return verdictAnew(question.call, file, judged).effect === 'none'
}

class Candidate {
  readonly #suggestion: Suggestion
  readonly #list: RuleList
  #questions = 0
  #isContradicted = false

  constructor(suggestion: Suggestion) {
    this.#suggestion = suggestion
    this.#list = compileRules([suggestion.rule])
  }

  compare(past: PastCall, file: RuleSet): void {
    const { question, judged } = past
    if (this.#isContradicted) return
    const { effect } = this.#suggestion.rule
    if (decideByList(question.call, judged.context, this.#list, 'rules').effect !== effect) return
    if (effect === 'allow' && !isOpen(past, file)) return
    const answer = answerOf(past)
    if (answer !== undefined && answer !== effect) this.#isContradicted = true
    this.#questions += 1
  }

  get suggested(): SuggestedRule | undefined {
    const { rule, answers } = this.#suggestion
    if (this.#isContradicted || this.#questions < MIN_QUESTIONS) return undefined
    return { rule, text: ruleText(rule), answers, questions: this.#questions }
  }
}

const MAX_QUESTIONS = 20_000
const MIN_QUESTIONS = 3
const MAX_SUGGESTIONS = 20
