import { AppError } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import { type Budget, RESOURCES, type Resource } from './budget.ts'
import { BudgetSchema } from './budget-schema.ts'

/** `usd=5`, `tokens=2M`, several of them with commas. */
export function budgetFrom(texts: readonly string[]): Budget {
  const limits = texts.flatMap((text) => text.split(',')).map((text) => limitOf(text.trim()))
  return parseInput(BudgetSchema, Object.fromEntries(limits))
}

function limitOf(text: string): [Resource, number] {
  const [, name, digits, scale = ''] = /^(\w+)=\$?(\d+(?:\.\d+)?)([kM]?)$/.exec(text) ?? []
  const resource = RESOURCES.find((known) => known.toLowerCase() === name?.toLowerCase())
  if (resource === undefined)
    throw new AppError(
      'invalid_input',
      `"${text}" is no limit; give usd=5, tokens=2M, toolCalls=100 or seconds=600, several with commas.`,
    )
  return [resource, Number(digits) * (SCALES[scale] ?? 1)]
}

const SCALES: Readonly<Record<string, number>> = { k: 1e3, M: 1e6 }
