import type { Outcome, PastQuestion } from './past-question.ts'

/** A question that would have another outcome, and the rule by which. */
interface ReplayExample {
  readonly question: string
  readonly at: number
  readonly call: string
  /** What became of it then. */
  readonly status: PastQuestion['status']
  readonly by?: string | undefined
  readonly ruleId?: string | undefined
}

/** Questions that would have one other outcome. */
export interface ReplayChange {
  readonly count: number
  /** How many of them were denied by an answer. */
  readonly denied: number
  /** The first of those that were denied, then others. */
  readonly examples: readonly ReplayExample[]
}

/** What rules would have decided about the questions of the history. Nothing was run. */
export interface ReplayReport {
  readonly questions: number
  readonly unchanged: number
  readonly newlyAllowed: ReplayChange
  readonly newlyAsked: ReplayChange
  readonly newlyDenied: ReplayChange
  /** When the oldest of the questions was asked, in ms since 1970. */
  readonly oldestAt?: number | undefined
}

/** Adds up a replay, question by question; the memory that it needs does not grow with them. */
export class ReplayTally {
  #questions = 0
  #unchanged = 0
  #oldestAt: number | undefined
  readonly #changes: Readonly<Record<Outcome, Tally>> = {
    allowed: new Tally(),
    asked: new Tally(),
    denied: new Tally(),
  }

  add(question: PastQuestion, outcome: Outcome, ruleId?: string): void {
    this.#questions += 1
    this.#oldestAt = Math.min(this.#oldestAt ?? question.at, question.at)
    if (outcome === question.outcome) this.#unchanged += 1
    else this.#changes[outcome].add(question, ruleId)
  }

  report(): ReplayReport {
    const { allowed, asked, denied } = this.#changes
    return {
      questions: this.#questions,
      unchanged: this.#unchanged,
      newlyAllowed: allowed.change,
      newlyAsked: asked.change,
      newlyDenied: denied.change,
      ...(this.#oldestAt === undefined ? {} : { oldestAt: this.#oldestAt }),
    }
  }
}

class Tally {
  #count = 0
  #denied = 0
  readonly #deniedOnes: ReplayExample[] = []
  readonly #others: ReplayExample[] = []

  add(question: PastQuestion, ruleId: string | undefined): void {
    this.#count += 1
    if (question.wasDenied) this.#denied += 1
    const kept = question.wasDenied ? this.#deniedOnes : this.#others
    if (kept.length < MAX_EXAMPLES) kept.push(exampleOf(question, ruleId))
  }

  get change(): ReplayChange {
    const examples = [...this.#deniedOnes, ...this.#others].slice(0, MAX_EXAMPLES)
    return { count: this.#count, denied: this.#denied, examples }
  }
}

function exampleOf(question: PastQuestion, ruleId: string | undefined): ReplayExample {
  const { label, at, call, status, by } = question
  return {
    question: label,
    at,
    call: callText(call),
    status,
    ...(by === undefined ? {} : { by }),
    ...(ruleId === undefined ? {} : { ruleId }),
  }
}

/** As a person would write it for `plexus rules test`, cut where it is long. */
function callText({ toolName, input }: PastQuestion['call']): string {
  const fields: Readonly<Record<string, unknown>> =
    typeof input === 'object' && input !== null ? { ...input } : {}
  const subject = SUBJECTS.map((field) => fields[field]).find((value) => typeof value === 'string')
  const text = typeof subject === 'string' ? `${toolName}(${subject})` : toolName
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

const SUBJECTS = ['command', 'file_path', 'notebook_path', 'path', 'url', 'query']
const MAX_EXAMPLES = 5
const MAX_TEXT = 200
