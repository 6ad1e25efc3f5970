import { usesNoOtherFiles } from '../shell/matching-rules.ts'
import { type GivenOption, optionsThatRun } from '../shell/options-that-run.ts'
import type { ShellContext } from '../shell/harmless.ts'
import type { SimpleCommand } from '../shell/lines/simple-commands.ts'
import type { ReadCommand } from './lines/found-commands.ts'
import type { Words } from './lines/run-by-others.ts'
import { patternCouldMatch, patternMatches, patternNames } from './command-pattern.ts'
import type { Candidates, CompiledRule, RuleList } from './compiled-rules.ts'
import type { CallHolds, Holds } from './conditions.ts'

/** A rule that matches. `sure` is false if it only could: a word of the command, or its folder, is not known. */
export interface Match {
  readonly compiled: CompiledRule
  readonly sure: boolean
  /** It only could because the call searches a folder in which the rule's path lies. */
  readonly below?: boolean
}

/** The first rule that refuses or asks about a command. */
export function firstForCommand(
  list: RuleList,
  { plain, certain }: ReadCommand,
  holds: CallHolds,
): Match | undefined {
  const isKnown = !plain.includes(undefined)
  let first: Match | undefined
  for (const candidates of candidatesFor(list, plain))
    for (const compiled of candidates) {
      if (first && first.compiled.index <= compiled.index) break
      if (compiled.rule.effect === 'allow') continue
      const fits = oneMatches(compiled.patterns, plain)
      if (!fits && (isKnown || !oneCouldMatch(compiled.patterns, plain))) continue
      const held: Holds = holds(compiled)
      if (held !== 'no')
        first = { compiled, sure: certain && fits && held === 'yes', below: held === 'below' }
    }
  return first
}

function oneMatches(patterns: CompiledRule['patterns'], words: Words): boolean {
  for (const pattern of patterns) if (patternMatches(pattern, words)) return true
  return false
}

function oneCouldMatch(patterns: CompiledRule['patterns'], words: Words): boolean {
  for (const pattern of patterns) if (patternCouldMatch(pattern, words)) return true
  return false
}

/** The first rule that allows this command, word by word as it is written. */
export function allowsCommand(
  list: RuleList,
  { command, words }: { readonly command: SimpleCommand; readonly words: Words },
  place: ShellContext,
  holds: CallHolds,
): CompiledRule | undefined {
  let first: CompiledRule | undefined
  for (const candidates of candidatesFor(list, words))
    for (const compiled of candidates) {
      if (first && first.index <= compiled.index) break
      const { rule, patterns } = compiled
      if (rule.effect !== 'allow' || !oneMatches(patterns, words)) continue
      if (holds(compiled) !== 'yes' || !usesNoOtherFiles(command, place, rule.redirect)) continue
      if (!oneNames(patterns, words, optionsThatRun(command, place))) continue
      first = compiled
    }
  return first
}

/** A star stands for no option that runs a program: the pattern must name it. */
function oneNames(
  patterns: CompiledRule['patterns'],
  words: Words,
  options: readonly GivenOption[],
): boolean {
  return (
    options.length === 0 ||
    patterns.some(
      (pattern) =>
        patternMatches(pattern, words) &&
        options.every(({ word, option }) => patternNames(pattern, word, option)),
    )
  )
}

/** Whether a rule of the list may be about one of these commands: if none is, the list allows nothing of the line. */
export function isAboutOne(list: RuleList, commands: readonly ReadCommand[]): boolean {
  for (const { words } of commands) if (candidatesFor(list, words).length > 0) return true
  return false
}

/** Most names are written so, and to look is faster than to write each of them anew. */
function inLowerCase(name: string): string {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index)
    if ((code >= CAPITAL_A && code <= CAPITAL_Z) || code > ASCII) return name.toLowerCase()
  }
  return name
}

const [CAPITAL_A, CAPITAL_Z, ASCII] = [0x41, 0x5a, 0x7f]

function candidatesFor(list: RuleList, words: Words): Candidates {
  const program = words[0]
  if (program === undefined) return [list.rules]
  const about = list.byProgram.get(inLowerCase(program))
  if (!about) return list.byNoProgram
  const second = words[1]
  if (second !== undefined) return about.bySecond.get(second) ?? about.alone
  // The second word may be anything that the shell makes of it.
  return words.length > 1 ? about.all : about.alone
}
