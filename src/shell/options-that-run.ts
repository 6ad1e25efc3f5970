import type { ShellContext } from './harmless.ts'
import { expandPattern } from './path-bounds.ts'
import type { SimpleCommand } from './lines/simple-commands.ts'
import { nameOf } from './programs-that-run-programs.ts'
import { type KnownOptions, runningOptions, type RunningOption } from './programs/options-that-run.ts'

/** A word of a command, and the name of the option in it: `--pre` of `--pre=x`, `-O` of `-nO`. */
export interface GivenOption {
  readonly word: string
  readonly option: string
}

/**
 * The words by which a command runs another program, or writes a file that no operand names. A rule that leaves its words open
 * does not mean those, so each must be named by the rule.
 */
export function optionsThatRun(command: SimpleCommand, place: ShellContext): readonly GivenOption[] {
  const { name, args } = command
  const { options, setting } = knownOptionsOf(name)
  let given: GivenOption[] | undefined
  let isOperand = false
  for (const { text, pattern } of args) {
    let option: string | undefined
    if (pattern) option = optionOfName(text, place)
    else if (text === '--') isOperand = true
    else if (text.startsWith('-')) option = optionIn(text, isOperand ? undefined : options, command)
    else if (setting && text.includes(setting.mark)) option = setting.like.exec(text)?.[0]
    if (option !== undefined) (given ??= []).push({ word: text, option })
  }
  return given ?? NOTHING
}

function optionIn(word: string, known: KnownOptions | undefined, command: SimpleCommand): string | undefined {
  const equals = word.indexOf('=')
  const name = equals < 0 ? word : word.slice(0, equals)
  if (name.length > 2 && SAYS_SO.test(name)) return name
  if (!known) return undefined
  if (name.startsWith('--')) return isLongOption(name.slice(2), known, command) ? name : undefined
  // Some programs write a long option with one hyphen.
  const whole = known.byName.get(name.slice(1))
  return whole && isOf(whole, command) ? name : letterIn(name, known, command)
}

/** A long option may be shortened as far as it is clear which is meant. */
function isLongOption(start: string, { byName }: KnownOptions, command: SimpleCommand): boolean {
  for (const [full, option] of byName) if (full.startsWith(start) && isOf(option, command)) return true
  return false
}

/** One of the options of one letter in a word, up to one that takes the rest as its value. */
function letterIn(name: string, known: KnownOptions, command: SimpleCommand): string | undefined {
  for (let index = 1; index < name.length; index += 1) {
    const letter = name.charAt(index)
    if (known.valueLetters.includes(letter) || !isLetter(letter)) return undefined
    const option = known.byLetter.get(letter)
    if (option && isOf(option, command)) return option.name
  }
  return undefined
}

function isLetter(char: string): boolean {
  return (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z')
}

/** A subcommand may stand after options of the program. */
function isOf({ of }: RunningOption, { args }: SimpleCommand): boolean {
  return !of || args.some(({ text }) => of.has(text))
}

interface OptionsOf {
  readonly options: KnownOptions | undefined
  /** An operand that names what to run: `SHELL=x` of make, and `ext::x` of git. */
  readonly setting: { readonly mark: string; readonly like: RegExp } | undefined
}

const known = new Map<string, OptionsOf>()

/** Found out once for each program. */
function knownOptionsOf(program: string): OptionsOf {
  const before = known.get(program)
  if (before) return before
  const name = nameOf(program) ?? program
  const setting = name === 'git' ? HELPER : TAKES_SETTINGS.has(name) ? SETTING : undefined
  const found = { options: runningOptions(name), setting }
  if (known.size >= MAX_PROGRAMS) known.clear()
  known.set(program, found)
  return found
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
const HELPER = { mark: '::', like: /^[\w-]+::/ }
const SETTING = { mark: '=', like: /^[\w.]+\s*[:?+!]*=/ }
const NOTHING: readonly GivenOption[] = []
const MAX_PROGRAMS = 1_000
