import type { Rule } from '../rule.ts'
import { parseRules } from '../rules-file.ts'

/** What a rules file holds, as it is written. */
export interface RulesText {
  readonly v: 1
  readonly forbid?: readonly { readonly id: string }[]
  readonly rules?: readonly { readonly id: string }[]
}

export interface AddedRules {
  /** Without those whose id is there already. */
  readonly fresh: readonly Rule[]
  /** The new text of the file. */
  readonly after: string
}

/** The text of a rules file with more rules after its own; without a text, of a new file. Both must be right. Pure. */
export function withAddedRules(before: string | undefined, added: readonly Rule[]): AddedRules {
  const { forbid = [], rules = [] } = before === undefined ? {} : rulesTextIn(before)
  const known = new Set([...forbid, ...rules].map(({ id }) => id))
  const fresh = added.filter(({ id }) => !known.has(id))
  return { fresh, after: textOfRules({ v: 1, forbid, rules: [...rules, ...fresh] }) }
}

/** Checked, and written as a person reads it. */
export function textOfRules(rules: RulesText): string {
  const text = `${JSON.stringify(rules, undefined, 2)}\n`
  parseRules(text)
  return text
}

/** The file must be right before it is changed. */
export function rulesTextIn(text: string): RulesText {
  parseRules(text)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parseRules has checked that it is a rules file
  return JSON.parse(text) as RulesText
}
