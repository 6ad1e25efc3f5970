import { forEachChild, type Command, type Redirection, type SyntaxNode } from 'unbash'
import {
  nameOf,
  readsScripts,
  runsItsArguments,
  runsPrograms,
} from '../../shell/programs-that-run-programs.ts'
import { isFixed } from '../../shell/lines/shell-word.ts'
import {
  commandsOfSubcommand,
  readsItsInput,
  runsWhatItReads,
  textsToRun,
  valuesIn,
  type Words,
} from './run-by-others.ts'

/** A command as far as it can be read, its program first. A word that only the shell knows is undefined. */
export interface ReadCommand {
  readonly words: readonly (string | undefined)[]
  /** The same with the program by its name alone, wherever it lies and however its letters are: as rules that refuse compare it. */
  readonly plain: readonly (string | undefined)[]
  /** False if it is a text that another command of the line may run. */
  readonly certain: boolean
  /** It stands in the arguments of another command. */
  readonly inner: boolean
}

/** What is found in a line. */
export interface Found {
  readonly commands: ReadCommand[]
  /** Each rest of the arguments of a program that runs others. */
  readonly arguments: ReadCommand[]
  /** Texts that are given to a program which runs them. */
  readonly scripts: string[]
  readonly texts: string[]
  /** Texts that a program may run, and of which that is not certain. */
  readonly mentioned: string[]
  /** The commands that run no others: their words may be texts for a shell. */
  readonly ordinary: Words[]
  /** There is a program that runs what it reads. */
  shell: boolean
  /** There is one to which nothing else is given. */
  readsInput: boolean
  whole: boolean
}

export function nothingFound(): Found {
  return {
    commands: [],
    arguments: [],
    scripts: [],
    texts: [],
    mentioned: [],
    ordinary: [],
    shell: false,
    readsInput: false,
    whole: true,
  }
}

export function visitAll(script: SyntaxNode, found: Found): void {
  const visit = (node: SyntaxNode): void => {
    switch (node.type) {
      case 'Word':
        if (!node.parts) return
        break
      case 'Script':
        if ('errors' in node && node.errors) found.whole = false
        break
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        if (!node.script) found.whole = false
        break
      case 'Command':
        addCommand(node, found)
        break
      case 'Redirected':
        found.texts.push(...node.redirects.flatMap(textsOf))
        break
      default:
    }
    forEachChild(node, visit)
  }
  visit(script)
}

function addCommand({ name, args, redirects, prefix }: Command, found: Found): void {
  for (const part of prefix) {
    if (part.type !== 'Assignment' || part.value.type !== 'Word') continue
    const value = wordOf(part.value)
    // `PAGER='rm x' git log`: before a command it may be what that runs, elsewhere only arithmetic evaluates it.
    if (value !== undefined && (name || /\$\(|`/.test(value))) found.mentioned.push(value)
  }
  if (!name) return
  const words = [wordOf(name)]
  for (const arg of args) words.push(wordOf(arg))
  addWords(words, redirects.length === 0 ? NO_TEXTS : redirects.flatMap(textsOf), found)
}

export function addWords(words: Words, redirected: readonly string[], found: Found): void {
  const [program] = words
  const name = program === undefined ? undefined : nameOf(program)
  found.commands.push(commandOf(words, name, false))
  // An alias changes what a later name stands for.
  if (program === undefined || name === 'alias') found.whole = false
  if (program === undefined || name === undefined || !runsPrograms(name)) {
    found.texts.push(...redirected)
    found.ordinary.push(words)
    addRunByOrdinary(name ?? '', words, found)
    return
  }
  if (readsScripts(program)) found.shell = true
  if (redirected.length === 0 && readsItsInput(words)) found.readsInput = true
  if (runsWhatItReads(words)) found.whole = false
  addArguments(words, found)
  ;(runsItsArguments(program) ? found.scripts : found.texts).push(...redirected)
}

/** Of a command that runs no others by itself: what its subcommand or its settings make it run. */
function addRunByOrdinary(name: string, words: Words, found: Found): void {
  for (const text of textsToRun(name, words)) found.mentioned.push(text)
  for (const own of commandsOfSubcommand(name, words)) {
    const [first] = own
    if (first === undefined) continue
    found.arguments.push({ ...commandOf(own, nameOf(first), true), certain: false })
    found.mentioned.push(...[first, ...valuesIn(first)].filter(isScript))
  }
}

/** The commands in the arguments of a program that runs others: each of its words may be the first of one. */
function addArguments(words: Words, found: Found): void {
  let runs = runsItsArguments(words[0] ?? '')
  for (const [index, word] of words.entries()) {
    if (index === 0) continue
    if (runs && (word === undefined || index > MAX_SUFFIXES)) found.whole = false
    if (index > MAX_SUFFIXES) return
    if (word === undefined) continue
    found.arguments.push(commandOf(words.slice(index), nameOf(word), true))
    if (isScript(word)) (runs ? found.scripts : found.mentioned).push(word)
    found.mentioned.push(...valuesIn(word))
    runs ||= runsItsArguments(word)
    if (readsScripts(word)) found.shell = true
  }
}

/** For rules that refuse the program counts by its name, wherever it lies and however its letters are. */
function commandOf(words: Words, name: string | undefined, inner: boolean): ReadCommand {
  // Its words are read already: a folder may have any character in its name, and a tilde is a folder too.
  const called = name ?? lastPart(words[0])
  const plain = called === undefined || called === words[0] ? words : [called, ...words.slice(1)]
  return { words, plain, certain: true, inner }
}

function lastPart(program: string | undefined): string | undefined {
  return program?.slice(program.lastIndexOf('/') + 1).toLowerCase() || undefined
}

/** The word as the program gets it; undefined if that is only known when it runs. */
function wordOf(arg: Command['args'][number]): string | undefined {
  if (arg.type !== 'Word') return /^[\w.,:/@%+=-]+$/.test(arg.text) ? arg.text : undefined
  const isKnown = arg.parts?.every((part) => part.type !== 'Glob' && isFixed(part)) !== false
  return isKnown ? arg.value : undefined
}

function textsOf(redirect: Redirection): string[] {
  if (redirect.type === 'HereDoc') return [redirect.body.text]
  return redirect.type === 'HereString' && redirect.target ? [redirect.target.value] : []
}

export function isScript(word: string | undefined): word is string {
  return word !== undefined && /[\s;&|`$()<>]/.test(word)
}

export const NO_TEXTS: readonly string[] = []
const MAX_SUFFIXES = 64
