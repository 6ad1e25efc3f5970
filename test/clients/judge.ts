/** What a run says about each step. */
import type { Client, Run, Step, Transport } from './client.ts'
import { STEPS } from './client.ts'
import { ALLOWED, DENIED, FINAL, questionIn, sessionIn, type ToolResult, viewIn } from './parent.ts'

export interface Facts {
  readonly results: readonly ToolResult[]
  readonly forms: readonly string[]
  /** From the moment when the session's model wants a command to the moment when the parent has seen it. */
  readonly questionMs: number | undefined
  readonly hasAllowed: boolean
  readonly hasDenied: boolean
}

export interface Ending {
  readonly output: string
  readonly error?: string
  /** From the moment when the next hub was there. */
  readonly restartMs?: number
}

/** `FAIL` and `theirs` have a reason behind them. */
export type Cells = Partial<Record<Step, string>>

/** It takes a moment on a busy machine; a form that nobody answers takes a whole wait. */
const SOON_MS = 10_000

/** A client that takes longer to go on has waited for a limit of its own. */
const LONG_SECONDS = 20

/** Undefined where all is well, else what is wrong. */
type Verdict = string | undefined

export function cellsOf(
  { client, transport, run }: { client: Client; transport: Transport; run: Run },
  facts: Facts,
  ending: Ending,
): Cells {
  const verdicts = run === 'flow' ? flowOf(facts, ending.output) : { [run]: restartOf(run, facts, ending) }
  return Object.fromEntries(
    Object.entries(verdicts).map(([step, verdict]) => {
      const key = `${transport} ${step as Step}` as const
      const why = verdict && [verdict, ending.error].filter(Boolean).join('; ')
      return [step, cellOf(why, client.theirs?.[key], run === 'SIGKILL' ? okAfter(ending) : 'ok')]
    }),
  )
}

function cellOf(verdict: Verdict, theirs: string | undefined, ok: string): string {
  if (verdict === undefined) return theirs ? `FAIL (it works, and is listed as theirs)` : ok
  return theirs ? `theirs (${theirs})` : `FAIL (${verdict})`
}

function flowOf(facts: Facts, output: string): Record<(typeof STEPS)[number], Verdict> {
  const views = facts.results.map(({ text }) => viewIn(text))
  const decisions = views.flatMap((view) => view?.['decision'] ?? [])
  const isAnswered = (command: string, decision: string) =>
    decisions.includes(decision) || facts.forms.some((form) => form.includes(command))
  return {
    start: views.some((view) => view && sessionIn(view)) ? undefined : 'no result had a sessionId',
    question: questionOf(facts),
    allow: !facts.hasAllowed
      ? 'what was allowed did not run'
      : isAnswered(ALLOWED, 'allowed')
        ? undefined
        : 'nobody allowed it',
    deny: facts.hasDenied
      ? 'what was denied ran'
      : isAnswered(DENIED, 'denied')
        ? undefined
        : 'the parent never denied it',
    done: output.includes(FINAL) ? undefined : 'the end never reached the user',
  }
}

function questionOf({ results, forms, questionMs }: Facts): Verdict {
  const first = results.map(({ text }) => viewIn(text) ?? {}).find(sessionIn)
  const isInFirst = first && questionIn(first)?.command === ALLOWED
  if (!isInFirst && !forms.some((form) => form.includes(ALLOWED))) return 'the first call did not show it'
  return questionMs !== undefined && questionMs > SOON_MS
    ? `it came after ${Math.round(questionMs / 1_000)} s`
    : undefined
}

function restartOf(run: Run, { hasAllowed }: Facts, ending: Ending): Verdict {
  if (!hasAllowed) return 'what was allowed did not run'
  if (!ending.output.includes(FINAL)) return 'the end never reached the user'
  // A hub that ends in good order can answer the calls that are open.
  return run === 'SIGTERM' && secondsOf(ending) > LONG_SECONDS ? `it took ${secondsOf(ending)} s` : undefined
}

const okAfter = (ending: Ending): string =>
  secondsOf(ending) > LONG_SECONDS ? `ok (after ${secondsOf(ending)} s)` : 'ok'

const secondsOf = ({ restartMs = 0 }: Ending): number => Math.round(restartMs / 1_000)
