import { useSignal } from '@preact/signals'
import { type Budget, budgetOf, type Resource, usesOf, useText } from '../../../src/budgets/budget.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { hub } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'
import { budgets } from '../hub/hub-state.ts'

const FIELDS: readonly (readonly [resource: Resource, label: string])[] = [
  ['usd', 'Budget in US dollars'],
  ['tokens', 'in tokens'],
  ['toolCalls', 'in tool calls'],
  ['seconds', 'in seconds at work'],
]

/** What it and all sessions below it may spend together; an empty field is no limit. */
export function BudgetFields({ budget = {} }: { readonly budget?: Budget }) {
  return (
    <>
      {FIELDS.map(([resource, label]) => (
        <label key={resource} class="field">
          <span>{label}</span>
          <input
            type="number"
            name={`budget-${resource}`}
            min="0"
            step="any"
            placeholder="no limit"
            defaultValue={budget[resource]}
          />
        </label>
      ))}
    </>
  )
}

/** The limits that were filled in; undefined if there is none. */
export function filledBudget(form: FormData): Budget | undefined {
  const limits = FIELDS.flatMap(([resource]) => {
    const text = form.get(`budget-${resource}`)
    return typeof text === 'string' && text.trim() !== '' ? [[resource, Number(text)] as const] : []
  })
  return limits.length === 0 ? undefined : Object.fromEntries(limits)
}

/** `$4.10 of $5.00`, the limit that is used most; empty without a budget. */
export function usedOfBudget(sessionId: string): string {
  const own = budgets.value.find((one) => one.sessionId === sessionId)
  const [use] = own ? usesOf(own.budget, own.spent) : []
  return use ? useText(use) : ''
}

/** The budget of a session, how much of each limit is used, and a form that changes it. */
export function BudgetView({ session }: { readonly session: Session }) {
  const problem = useSignal<string | undefined>(undefined)
  const own = budgets.value.find(({ sessionId }) => sessionId === session.id)
  const set = async (budget: Budget | undefined) => {
    problem.value = undefined
    await hub
      .call('setBudget', { sessionId: session.id, ...(budget ? { budget } : {}) })
      .catch((error: unknown) => {
        problem.value = error instanceof Error ? error.message : String(error)
      })
  }
  return (
    <>
      {own && (
        <p class={own.state === 'free' ? 'faint' : 'attention'}>
          Budget, with all below it: {usesOf(own.budget, own.spent).map(useText).join(' · ')}
        </p>
      )}
      {storedScope() === 'operate' && (
        <details>
          <summary>{own ? 'Change the budget' : 'Set a budget'}</summary>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void set(filledBudget(new FormData(event.currentTarget)))
            }}
          >
            <BudgetFields key={JSON.stringify(own?.budget)} budget={budgetOf(session) ?? {}} />
            {problem.value !== undefined && <p role="alert">{problem.value}</p>}
            <button type="submit">Set the budget</button>
          </form>
        </details>
      )}
    </>
  )
}
