import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../base/errors.ts'
import { parseInput } from '../base/parse-input.ts'
import { jsonFault, jsonPlace, type TextPlace } from '../text/json-places.ts'
import { problemOf } from './check-rule.ts'
import { compileRules } from './compiled-rules.ts'
import type { RuleSet } from './decide.ts'
import { failedExample } from './run-examples.ts'
import { FileRule, ForbidRule, NarrowingRule, type Rule } from './rule.ts'

/** Rules that were read from a file or an option, and the hash of its text. */
export interface LoadedRules extends RuleSet {
  readonly digest: string
}

/** The rules at this moment. */
export interface RulesNow {
  /** With a fault: the last rules that could be read. */
  readonly rules: LoadedRules
  /** Why the file cannot be used, as a sentence; then its rules ask about whatever they decide, and only `forbid` still refuses. */
  readonly fault?: string | undefined
}

/** The text of the rules of the home folder. */
export interface RulesFile {
  /** Undefined if there is none. */
  read(): string | undefined
  /** Writes it, unless it is no longer what it was. */
  replace(before: string | undefined, after: string): void
}

export const MAX_BYTES = 1 << 20
const MAX_RULES = 5_000
const TOO_MANY = `there may be at most ${MAX_RULES} rules in a list.`

/** `rules.json` of the home folder. */
const HomeFile = z.strictObject(
  {
    v: z.literal(1, 'v must be 1.'),
    forbid: z.array(ForbidRule, 'forbid must be a list of rules.').max(MAX_RULES, TOO_MANY).default([]),
    rules: z.array(FileRule, 'rules must be a list of rules.').max(MAX_RULES, TOO_MANY).default([]),
  },
  'it must be an object with v, forbid and rules.',
)

/** A list of rules that only refuse or ask. */
export const NarrowingRules = z
  .array(NarrowingRule, 'rules must be a list of rules.')
  .max(MAX_RULES, TOO_MANY)
  .superRefine((rules, context) => {
    for (const rule of rules) {
      const problem = problemOf(rule) ?? failedExample(rule)
      if (problem !== undefined)
        context.addIssue({ code: 'custom', message: `the rule ${rule.id} ${problem}.` })
    }
  })

/** `.claude/plexus-rules.json` of a repository. */
const RepositoryFile = z.strictObject(
  { v: z.literal(1, 'v must be 1.'), rules: NarrowingRules.default([]) },
  'it must be an object with v and rules; a repository forbids nothing.',
)

/** Pure. Throws `invalid_input` with a sentence that names the rule, and the example if it is one. */
export function parseRules(text: string, kind: 'home' | 'repository' = 'home'): LoadedRules {
  if (text.length > MAX_BYTES)
    throw new AppError(
      'invalid_input',
      `it is larger than ${MAX_BYTES >> 20} MiB; remove rules that nobody needs.`,
    )
  const json = jsonOf(text)
  try {
    const { forbid, rules } =
      kind === 'home' ? parseInput(HomeFile, json) : { forbid: [], ...parseInput(RepositoryFile, json) }
    return loadedRules(
      forbid.map((rule) => ({ ...rule, effect: 'forbid' })),
      rules,
      createHash('sha256').update(text).digest('hex'),
    )
  } catch (error) {
    throw placed(error, text)
  }
}

/** The same error, with the line and the column of what it is about. */
function placed(error: unknown, text: string): unknown {
  if (!(error instanceof AppError) || typeof error.data?.['field'] !== 'string') return error
  const place = jsonPlace(text, error.data['field'])
  if (!place) return error
  return new AppError(error.code, `${placeText(place)}: ${error.message}`, { cause: error })
}

function placeText({ line, column }: TextPlace): string {
  return `line ${line}, column ${column}`
}

/** Rules that are given as values: checked as those of a file are. */
function loadedRules(forbid: readonly Rule[], rules: readonly Rule[], digest: string): LoadedRules {
  const ids = new Set<string>()
  for (const [list, each] of [
    ['forbid', forbid],
    ['rules', rules],
  ] as const)
    for (const [index, rule] of each.entries()) {
      const problem = ids.has(rule.id) ? undefined : (problemOf(rule) ?? failedExample(rule))
      const sentence = ids.has(rule.id)
        ? `there are two rules with the id ${rule.id}; rename one.`
        : `the rule ${rule.id} ${problem}.`
      if (ids.has(rule.id) || problem !== undefined)
        throw new AppError('invalid_input', sentence, { data: { field: `${list}.${index}` } })
      ids.add(rule.id)
    }
  return { forbid: compileRules(forbid), rules: compileRules(rules), digest }
}

export const NO_RULES: LoadedRules = loadedRules([], [], '')

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const place = jsonFault(text)
    const from = place ? ` from ${placeText(place)} on` : ''
    throw new AppError('invalid_input', `it is not JSON${from}.`, { cause })
  }
}
