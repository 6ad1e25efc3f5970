import { createHash } from 'node:crypto'
import { AppError } from '../../base/errors.ts'
import { type Caller, mayChangeRules, mayReadRules } from '../../callers/access-rules.ts'
import { withAddedRules } from '../../rules/learning/add-rules.ts'
import type { ReplayReport } from '../../rules/learning/replay.ts'
import { type Exported, exportRules as exported } from '../../rules/learning/settings-export.ts'
import { importSettings, type NotSaid } from '../../rules/learning/settings-import.ts'
import { ruleText } from '../../rules/rule-text.ts'
import { type LearningDeps, rulesNow } from './past-questions.ts'
import { replayRules } from './replay-rules.ts'

export interface ImportRules {
  /** The text of a settings file of Claude Code. */
  readonly settings: string
  /** Saves, if the rules file is still the one with this `digest`. Without it nothing is saved. */
  readonly replaces?: string | undefined
  /** How far back the stored questions go that are compared; 30 by default. */
  readonly days?: number | undefined
}

export interface ImportedRules {
  /** The rules that the file gets, after its own; not those that are there already. */
  readonly added: readonly { readonly id: string; readonly text: string }[]
  /** How many are there already. */
  readonly known: number
  /** What our rules cannot say, and why. */
  readonly notSaid: readonly NotSaid[]
  /** Of the rules file as it is; empty if there is none. */
  readonly digest: string
  /** What the new rules would have decided about the stored questions. */
  readonly replay: ReplayReport & { readonly since: number }
  readonly saved: boolean
}

/** The permissions of Claude Code's settings as rules of the home folder. What was shown is what is saved. */
export async function importRules(
  deps: LearningDeps,
  caller: Caller,
  { settings, replaces, days }: ImportRules,
): Promise<ImportedRules> {
  if (!mayChangeRules(caller))
    throw new AppError('forbidden', 'Only a person with the rights of the operator changes the rules.')
  const { rulesFile } = deps.environment
  if (!rulesFile)
    throw new AppError('invalid_input', 'This hub has no rules file; start one with a home folder.')
  const { rules, notSaid } = importSettings(settings)
  const before = rulesFile.read()
  const digest = before === undefined ? '' : createHash('sha256').update(before).digest('hex')
  if (replaces !== undefined && replaces !== digest)
    throw new AppError('changed', 'The rules have changed meanwhile, so nothing was saved; read them again.')
  const { fresh, after } = withAddedRules(before, rules)
  const replay = await replayRules(deps, caller, { rules: after, days })
  const saved = replaces !== undefined && fresh.length > 0
  if (saved) rulesFile.replace(before, after)
  const added = fresh.map((rule) => ({ id: rule.id, text: ruleText(rule) }))
  return { added, known: rules.length - fresh.length, notSaid, digest, replay, saved }
}

/** The rules of the home folder as permissions of Claude Code; what those cannot say is named. */
export function exportRules(deps: LearningDeps, caller: Caller): Exported {
  if (!mayReadRules(caller))
    throw new AppError('forbidden', 'The rules of the home folder are shown to a person only.')
  const now = rulesNow(deps)
  if (now?.fault !== undefined) throw new AppError('invalid_input', now.fault)
  const { forbid = NO_LIST, rules = NO_LIST } = now?.rules ?? {}
  return exported([...forbid.rules, ...rules.rules].map(({ rule }) => rule))
}

const NO_LIST = { rules: [] }
