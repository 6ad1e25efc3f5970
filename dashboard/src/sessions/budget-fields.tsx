import { useSignal } from '@preact/signals'
import { type Budget, RESOURCES, usesOf, useText } from '../../../src/budgets/budget.ts'
import { dollars } from '../../../src/command-line/views/session-words.ts'
import { hub } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'
import { budgets } from '../hub/hub-state.ts'

/** What it and all sessions below it may spend together; an empty field is no limit. */
export function BudgetFields({ budget = {} }: { readonly budget?: Budget }) {
  return (
    <>
      {RESOURCES.map((resource) => (
        <label key={resource} class="field">
          <span>Budget: {WORDS[resource]}</span>
          <input type="number" name={resource} min="0" step="any" defaultValue={budget[resource]} />
        </label>
      ))}
    </>
  )
}

const WORDS = { usd: 'US dollars', tokens: 'tokens', toolCalls: 'tool calls', seconds: 'seconds at work' }

/** The limits that were filled in; undefined if there is none. */
export function filledBudget(form: FormData): Budget | undefined {
  const limits = RESOURCES.map((resource) => [resource, Number(form.get(resource))] as const)
  const given = limits.filter(([, limit]) => limit > 0)
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

/** `$4.10 of $5.00` for each limit, the most used first; empty without a budget. */
export function usedOfBudget(sessionId: string): string[] {
  const own = budgets.value.find((one) => one.sessionId === sessionId)
  return own ? usesOf(own.budget, own.spent).map(useText) : []
}

/** Nothing where nothing was spent. */
export function spentWords(usd: number): string[] {
  return usd === 0 ? [] : [dollars(usd)]
}

/** How much of its budget a session has used with all below it, and a form that changes it. */
export function BudgetView({ sessionId }: { readonly sessionId: string }) {
  const problem = useSignal<string | undefined>(undefined)
  const used = usedOfBudget(sessionId)
  const { budget } = budgets.value.find((one) => one.sessionId === sessionId) ?? {}
  const set = (form: HTMLFormElement) =>
    hub.call('setBudget', { sessionId, budget: filledBudget(new FormData(form)) }).then(
      () => (problem.value = undefined),
      (error: unknown) => (problem.value = String(error)),
    )
  return (
    <details>
      <summary>Budget: {used.join(' · ') || 'none'}</summary>
      {storedScope() === 'operate' && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void set(event.currentTarget)
          }}
        >
          <BudgetFields key={used.length} budget={budget ?? {}} />
          {problem.value !== undefined && <p role="alert">{problem.value}</p>}
          <button type="submit">Set the budget</button>
        </form>
      )}
    </details>
  )
}
