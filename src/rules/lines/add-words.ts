import {
  isInterpreter,
  nameOf,
  readsScripts,
  runsItsArguments,
} from '../../shell/programs-that-run-programs.ts'
import { addMentioned, addSaid, addUncertain, commandOf, type Found, isScript } from './found-commands.ts'
import { givenTo, runsWhatASettingNames } from './given-texts.ts'
import { type KnownProgram, knownProgram } from './known-program.ts'
import { couldRunPrograms } from './program-code.ts'
import { readsItsInput } from './reads-input.ts'
import { commandsOfSubcommand, runsWhatItReads, valuesIn, type Words } from './run-by-others.ts'

/** Adds a command, and all that it may run. */
export function addWords(words: Words, redirected: readonly string[], found: Found): void {
  const program = words[0]
  const known = program === undefined ? UNKNOWN : knownProgram(program)
  const { name } = known
  found.commands.push(commandOf(words, name, false))
  // An alias changes what a later name stands for.
  if (program === undefined || name === 'alias') found.whole = false
  if (program === undefined || !known.runs) {
    if (redirected.length > 0) found.texts.push(...redirected)
    if (known.reads) for (const text of redirected) addMentioned(text, found)
    addRunByOrdinary(name ?? program ?? '', known, words, found)
    return
  }
  if (readsScripts(program)) found.shell = true
  const reads = readsItsInput(words)
  if (reads && redirected.length === 0) found.readsInput = true
  if (reads) found.shell = true
  if (!reads) found.printsUnknown = true
  if (runsWhatItReads(words)) found.whole = false
  addArguments(words, found)
  addCode(words, { reads, redirected }, found)
  ;(runsItsArguments(program) ? found.scripts : found.texts).push(...redirected)
}

/** Of a command that runs no others by itself: what its subcommand, its options or its settings make it run. */
function addRunByOrdinary(name: string, known: KnownProgram, words: Words, found: Found): void {
  if (known.evaluates) addEvaluated(words, found)
  if (name === 'git' && runsWhatASettingNames(words)) found.whole = false
  const { texts, rest } = givenTo(name, words)
  for (const text of texts) addMentioned(text, found)
  if (rest) addUncertain(rest, found)
  for (const own of known.unsafe ? commandsOfSubcommand(known.unsafe, words) : NO_WORDS) {
    addUncertain(own, found)
    const [first] = own
    if (isScript(first)) addMentioned(first, found)
  }
  if (known.reads && readsItsInput(words)) found.readsInput = true
}

/** The commands in the arguments of a program that runs others: each of its words may be the first of one. */
function addArguments(words: Words, found: Found): void {
  let runs = runsItsArguments(words[0] ?? '')
  const name = nameOf(words[0] ?? '') ?? ''
  const says = HAVE_A_LANGUAGE.has(name)
  const hasLanguage = says || isInterpreter(name)
  for (const [index, word] of words.entries()) {
    if (index === 0) continue
    if (runs && (word === undefined || index > MAX_SUFFIXES)) found.whole = false
    if (index > MAX_SUFFIXES) return
    if (word === undefined) continue
    found.arguments.push(commandOf(words.slice(index), nameOf(word), true))
    if (!runs || says) addTextFor(word, found, hasLanguage)
    if (runs && isScript(word)) found.scripts.push(word)
    if (!hasLanguage) found.mentioned.push(...valuesIn(word))
    runs ||= runsItsArguments(word)
    if (readsScripts(word)) found.shell = true
  }
}

/** A word with more than a name or a path in it may have a command in it. */
function addTextFor(word: string, found: Found, isCodeOfAnother: boolean): void {
  if (!PLAIN.test(word)) (isCodeOfAnother ? addSaid : addMentioned)(word, found)
}

/** The code for an interpreter, wherever in the words its name stands. */
function addCode(words: Words, { reads, redirected }: Input, found: Found): void {
  let name: string | undefined
  for (const word of words) {
    if (word === undefined) continue
    const own = nameOf(word)
    if (name === undefined && own !== undefined && (isInterpreter(own) || HAVE_A_LANGUAGE.has(own))) {
      name = own.replace(/[\d.-]+$/, '')
      if (reads) found.interpreters.push(name)
    } else if (name !== undefined && isCode(name, word) && couldRunPrograms(name, word)) found.whole = false
  }
  if (name === undefined) return
  for (const text of redirected) {
    addSaid(text, found)
    if (couldRunPrograms(name, text)) found.whole = false
  }
}

interface Input {
  readonly reads: boolean
  readonly redirected: readonly string[]
}

/** Each word of sed that is no option may be its script, also `e`. */
function isCode(name: string, word: string): boolean {
  if (name.endsWith('sed')) return !word.startsWith('-') && !PATH.test(word)
  return !PLAIN.test(word)
}

/** The words of a builtin that it evaluates. */
function addEvaluated(words: Words, found: Found): void {
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index]
    if (word !== undefined && SUBSTITUTES.test(word)) found.mentioned.push(word)
  }
}

const NO_WORDS: readonly Words[] = []
const SUBSTITUTES = /\$\(|`/
const UNKNOWN: KnownProgram = {
  name: undefined,
  runs: false,
  evaluates: false,
  reads: false,
  unsafe: undefined,
}
const MAX_SUFFIXES = 64
/** Programs that run their arguments, and have commands of their own to run others. */
const HAVE_A_LANGUAGE: ReadonlySet<string> = new Set(
  'expect gdb lldb osascript screen tmux socat crontab'.split(' '),
)
const PLAIN = /^[\w./@~-]*$/
const PATH = /^[\w./@~*?-]{2,}$/
