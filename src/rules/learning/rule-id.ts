import { hash } from 'node:crypto'
import { canonicalJson } from '../../text/canonical-json.ts'
import type { Rule } from '../rule.ts'

type Content = Omit<Rule, 'id'>

/** The rule with an id made from its content: the same rule has the same id wherever and whenever it is made. Pure. */
export function withId(content: Content, start = 'r'): Rule {
  return { ...content, id: `${start}-${hash('sha256', canonicalJson(content)).slice(0, DIGITS)}` }
}

const DIGITS = 12
