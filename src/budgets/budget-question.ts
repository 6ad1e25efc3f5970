import { AppError } from '../base/errors.ts'
import { amountText, RESOURCES, type Resource, type Use, useText } from './budget.ts'

/** The question that is put when most of a limit is used. It does not stop the work. */
export interface BudgetQuestion {
  readonly question: string
  readonly options: readonly string[]
  readonly descriptions: readonly string[]
}

export interface BudgetChoice {
  readonly action: 'raise' | 'continue' | 'stop'
  /** The new limit, with `raise`. */
  readonly limit?: number
}

/** What stands in the place of a tool in such a question. */
export const BUDGET_TOOL = 'Budget'

/** The use that a question is about. The hub itself wrote it; without a schema, because the page reads it too. */
export function useIn({ resource, spent, limit }: Readonly<Record<string, unknown>>): Use {
  const known = RESOURCES.find((one) => one === resource) ?? 'usd'
  return { resource: known, spent: Number(spent), limit: Number(limit) }
}

export function budgetQuestion(use: Use): BudgetQuestion {
  const { resource, limit } = use
  const raises = RAISES.map((factor) => `raise to ${amountText(resource, raised(resource, limit, factor))}`)
  return {
    question: `This session and all below it have used ${useText(use)}. Raise the limit, continue, or stop them?`,
    options: [...raises, 'continue', 'stop'],
    descriptions: [
      // Said once, with the last of them.
      ...raises.map((_, index) => (index < raises.length - 1 ? '' : OTHER_AMOUNT)),
      'Ask no more about this limit; at 100 % the work is interrupted.',
      'The work of all of them ends now. Nothing is lost; a prompt resumes a session.',
    ],
  }
}

/** What an answer means. A text that is none of the options must name an amount above the limit. */
export function budgetChoice({ resource, limit }: Use, answer: string): BudgetChoice {
  const text = answer.trim()
  if (text === 'continue' || text === 'stop') return { action: text }
  const [, raises, goes, digits = '', scale = ''] = AMOUNT.exec(text) ?? []
  const amount = Number(digits.replaceAll(',', '')) * (SCALES[scale] ?? 1)
  const next = (raises ?? goes) === 'by' ? limit + amount : amount
  if (digits === '' || !(next > limit) || next > MAX_LIMIT)
    throw new AppError(
      'invalid_input',
      `"${text.slice(0, 80)}" is no answer: say continue, stop, or raise to an amount above ${amountText(resource, limit)}, such as raise to ${amountText(resource, raised(resource, limit, 2))}.`,
    )
  return { action: 'raise', limit: next }
}

/** Money to the cent, everything else whole, so that an option means exactly what it says. */
function raised(resource: Resource, limit: number, factor: number): number {
  const parts = resource === 'usd' ? 100 : 1
  return Math.max(Math.ceil(limit * factor * parts - 1e-9), Math.floor(limit * parts) + 1) / parts
}

const OTHER_AMOUNT = 'Any other amount will do too, such as: raise to 20, or raise by 5.'
const RAISES = [1.5, 2] as const
const SCALES: Readonly<Record<string, number>> = { k: 1e3, M: 1e6 }
const MAX_LIMIT = 1e15
/** A plain number is no amount: it may be meant as the number of an option. */
const AMOUNT =
  /^(?:raise(?: it)? (?:(to|by) )?\$?|(to|by) \$?|\$)(\d[\d,]*(?:\.\d+)?)([kM]?)(?: (?:usd|dollars|tokens|tool calls|calls|seconds))?$/
