import type { ShellContext } from './harmless.ts'
import { expandPattern } from './path-bounds.ts'
import type { SimpleCommand } from './lines/simple-commands.ts'
import { nameOf } from './programs-that-run-programs.ts'
import { runningOptions } from './programs/options-that-run.ts'

/** A word of a command, and the name of the option in it: `--pre` of `--pre=x`, `-O` of `-nO`. */
export interface GivenOption {
  readonly word: string
  readonly option: string
}

/**
 * The words by which a command runs another program, or writes a file that no operand names. A rule that leaves its words open
 * does not mean those, so each must be named by the rule.
 */
export function optionsThatRun({ name, args }: SimpleCommand, place: ShellContext): readonly GivenOption[] {
  const program = nameOf(name) ?? name
  const known = runningOptions(program)
  const second = args[0]?.text ?? ''
  let given: GivenOption[] | undefined
  let isOperand = false
  for (const { text, pattern } of args) {
    if (text === '--') isOperand = true
    const option = pattern
      ? optionOfName(text, place)
      : text.startsWith('-')
        ? optionIn(text, isOperand ? NO_OPTIONS : known, second)
        : settingIn(program, text)
    if (option !== undefined) (given ??= []).push({ word: text, option })
  }
  return given ?? NOTHING
}

function optionIn(word: string, { options, valueLetters }: Known, second: string): string | undefined {
  const [name = ''] = word.split('=', 1)
  if (name.length > 2 && SAYS_SO.test(name)) return name
  if (options.length === 0) return undefined
  const letters = word.startsWith('--') ? '' : lettersIn(word, valueLetters)
  for (const { name: listed, of } of options) {
    if (of && !of.has(second)) continue
    const full = listed.slice(2)
    if (full === '' ? letters.includes(listed.charAt(1)) : isMeant(full, name))
      return full === '' ? listed : name
  }
  return undefined
}

/** A long option may be shortened as far as it is clear which is meant, and some programs write it with one hyphen. */
function isMeant(full: string, name: string): boolean {
  return name.startsWith('--') ? name.length > 2 && full.startsWith(name.slice(2)) : full === name.slice(1)
}

/** The options of one letter in a word, up to one that takes the rest as its value. */
function lettersIn(word: string, valueLetters: string): string {
  let end = 1
  while (/[A-Za-z]/.test(word.charAt(end)) && !valueLetters.includes(word.charAt(end))) end += 1
  return word.slice(1, end)
}

/** `SHELL=x` of make, and `ext::x` of git. */
function settingIn(program: string, word: string): string | undefined {
  if (program === 'git') return /^[\w-]+::/.exec(word)?.[0]
  return TAKES_SETTINGS.has(program) ? /^[\w.]+\s*[:?+!]*=/.exec(word)?.[0] : undefined
}

/** A file whose name is an option: a wildcard of the shell would pass it on. */
function optionOfName(pattern: string, { files, cwd }: ShellContext): string | undefined {
  if (!/^[-*?[]/.test(pattern)) return undefined
  const names = expandPattern(files, cwd, pattern)
  return names?.find((name) => name.startsWith('-')) ?? (names ? undefined : '-')
}

/** By its name it is given something to run, whatever the program. */
const SAYS_SO =
  /(?:^|[-_.])(?:exec|execute|command|cmd|program|prog|pager|editor|shell|rsh|ssh|hook|pre|preprocessor|viewer|browser|wrapper|launcher|runner|eval|askpass|entrypoint|renderer|invoke|run[-_]under)(?:$|[-_.])/
const TAKES_SETTINGS: ReadonlySet<string> = new Set(['make', 'gmake', 'just', 'ninja', 'scons'])
const NOTHING: readonly GivenOption[] = []
type Known = ReturnType<typeof runningOptions>
const NO_OPTIONS: Known = { options: [], valueLetters: '' }
