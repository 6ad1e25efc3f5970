import { usesNoOtherFiles } from '../shell/matching-rules.ts'
import type { ShellContext } from '../shell/harmless.ts'
import { type ReadCommand, wordsOf } from './read-commands.ts'
import type { SimpleCommand } from '../shell/simple-commands.ts'
import { patternCouldMatch, patternMatches } from './command-pattern.ts'
import type { CompiledRule, RuleList } from './compiled-rules.ts'
import type { Holds } from './conditions.ts'

/** A rule that matches. `sure` is false if it only could: a word of the command, or its folder, is not known. */
export interface Match {
  readonly compiled: CompiledRule
  readonly sure: boolean
}

/** Whether the conditions besides the command hold for the call. */
export type CallHolds = (compiled: CompiledRule) => Holds

/** The first rule that refuses or asks about a command. */
export function firstForCommand(
  list: RuleList,
  { plain, certain }: ReadCommand,
  holds: CallHolds,
): Match | undefined {
  let first: Match | undefined
  for (const candidates of candidatesFor(list, plain))
    for (const compiled of candidates) {
      if (first && first.compiled.index <= compiled.index) break
      const match = matchOf(compiled, plain, holds)
      if (match) first = { compiled, sure: certain && match === 'yes' }
    }
  return first
}

function matchOf(compiled: CompiledRule, plain: ReadCommand['words'], holds: CallHolds): Holds | undefined {
  const { patterns, rule } = compiled
  if (rule.effect === 'allow') return undefined
  const fits = oneMatches(patterns, plain)
  if (!fits && !patterns.some((pattern) => patternCouldMatch(pattern, plain))) return undefined
  const held = holds(compiled)
  if (held === 'no') return undefined
  return fits ? held : 'maybe'
}

function oneMatches(patterns: CompiledRule['patterns'], words: ReadCommand['words']): boolean {
  for (const pattern of patterns) if (patternMatches(pattern, words)) return true
  return false
}

/** The first rule that allows this command, word by word as it is written. */
export function allowsCommand(
  list: RuleList,
  command: SimpleCommand,
  place: ShellContext,
  holds: CallHolds,
): CompiledRule | undefined {
  const words = wordsOf(command)
  let first: CompiledRule | undefined
  for (const candidates of candidatesFor(list, words))
    for (const compiled of candidates) {
      if (first && first.index <= compiled.index) break
      const { rule, patterns } = compiled
      if (rule.effect !== 'allow' || !oneMatches(patterns, words)) continue
      if (holds(compiled) !== 'yes' || !usesNoOtherFiles(command, place, rule.redirect)) continue
      first = compiled
    }
  return first
}

/** The rules that could be about this command, each list in the order of the rules. */
function candidatesFor(list: RuleList, words: ReadCommand['words']): (readonly CompiledRule[])[] {
  const [program, second] = words
  if (program === undefined) return [list.rules]
  const about = list.byProgram.get(program.toLowerCase())
  if (!about) return [list.byNoProgram]
  // The second word may be anything that the shell makes of it.
  if (words.length > 1 && second === undefined) return [about.all, list.byNoProgram]
  return [about.alone, about.bySecond.get(second ?? '') ?? [], list.byNoProgram]
}
