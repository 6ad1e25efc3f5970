import { forEachChild, type Command, type Redirection, type SyntaxNode } from 'unbash'
import { nameOf, readsScripts, runsItsArguments, runsPrograms } from '../shell/programs-that-run-programs.ts'
import { isFixed, parseLine, type SimpleCommand, simpleCommandsOf } from '../shell/simple-commands.ts'

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

interface ReadLine {
  /** First those that do not stand in the arguments of others, in the order of the line. */
  readonly commands: readonly ReadCommand[]
  /** False if a part of the line cannot be read, so that the line could run anything. */
  readonly whole: boolean
}

/** A line as rules read it. */
interface ParsedLine extends ReadLine {
  /** Undefined if it is more than simple commands. */
  readonly simple: readonly SimpleCommand[] | undefined
}

let last: { readonly line: string; readonly parsed: ParsedLine } | undefined

/** One call is compared with several lists of rules, so the last line is kept: it is parsed once. */
export function parsedLine(line: string): ParsedLine {
  if (last?.line === line) return last.parsed
  const script = parseLine(line)
  const simple = script && simpleCommandsOf(line, script)
  const { commands, whole } = simple ? readSimple(simple) : readCommands(line, script)
  const parsed = { commands, whole, simple }
  last = { line, parsed }
  return parsed
}

/** The same as `readCommands`, without a second walk: a line of simple commands has no loops and no substitutions. */
function readSimple(simple: readonly SimpleCommand[]): ReadLine {
  const found = nothingFound()
  for (const command of simple) addWords(wordsOf(command), NO_TEXTS, found)
  return withInner(found, 0)
}

/** A pattern stands for the names of files, which only the shell knows. */
export function wordsOf({ name, args }: SimpleCommand): Words {
  const words: (string | undefined)[] = [name]
  for (const { text, pattern } of args) words.push(pattern ? undefined : text)
  return words
}

/**
 * Every command that a line names, wherever it stands: in loops, groups, functions and substitutions, in the arguments of a
 * program that runs others, and in a text that a shell is given. For rules that refuse: rather too many than too few. Pure.
 */
function readCommands(line: string, script = parseLine(line), depth = 0): ReadLine {
  if (!script || depth > MAX_DEPTH) return { commands: [], whole: false }
  const found = nothingFound()
  visitAll(script, found)
  return withInner(found, depth)
}

function withInner(found: Found, depth: number): ReadLine {
  const { commands } = found
  if (found.scripts.length === 0 && !found.shell)
    return {
      commands: found.arguments.length === 0 ? commands : [...commands, ...found.arguments],
      whole: found.whole,
    }
  const inner = [
    ...found.scripts.map((text) => ({ ...readCommands(text, undefined, depth + 1), certain: true })),
    // `echo "rm -r x" | sh`: a text elsewhere in the line may reach the shell, or may be just a text.
    ...(found.shell ? [...found.texts, ...found.ordinary.flat().filter(isScript)] : []).map((text) => ({
      ...readCommands(text, undefined, depth + 1),
      certain: false,
      whole: true,
    })),
  ]
  return {
    commands: [
      ...commands,
      ...found.arguments,
      ...inner.flatMap(({ commands: read, certain }) =>
        read.map((command) => ({ ...command, certain: certain && command.certain, inner: true })),
      ),
    ],
    whole: found.whole && inner.every(({ whole }) => whole),
  }
}

type Words = readonly (string | undefined)[]

interface Found {
  readonly commands: ReadCommand[]
  /** Each rest of the arguments of a program that runs others. */
  readonly arguments: ReadCommand[]
  /** Texts that are given to a program which runs them. */
  readonly scripts: string[]
  readonly texts: string[]
  /** The commands that run no others: their words may be texts for a shell. */
  readonly ordinary: Words[]
  /** There is a program that runs what it reads. */
  shell: boolean
  whole: boolean
}

function nothingFound(): Found {
  return { commands: [], arguments: [], scripts: [], texts: [], ordinary: [], shell: false, whole: true }
}

function visitAll(script: SyntaxNode, found: Found): void {
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

function addCommand({ name, args, redirects }: Command, found: Found): void {
  if (!name) return
  const words = [wordOf(name)]
  for (const arg of args) words.push(wordOf(arg))
  addWords(words, redirects.length === 0 ? NO_TEXTS : redirects.flatMap(textsOf), found)
}

function addWords(words: Words, redirected: readonly string[], found: Found): void {
  const [program] = words
  const name = program === undefined ? undefined : nameOf(program)
  found.commands.push(commandOf(words, name, false))
  // An alias changes what a later name stands for.
  if (program === undefined || name === 'alias') found.whole = false
  if (program === undefined || name === undefined || !runsPrograms(name)) {
    found.texts.push(...redirected)
    found.ordinary.push(words)
    return
  }
  if (readsScripts(program)) found.shell = true
  addArguments(words, found)
  ;(runsItsArguments(program) ? found.scripts : found.texts).push(...redirected)
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
    if (isScript(word)) (runs ? found.scripts : found.texts).push(word)
    runs ||= runsItsArguments(word)
    if (readsScripts(word)) found.shell = true
  }
}

function commandOf(words: Words, name: string | undefined, inner: boolean): ReadCommand {
  const plain = name === undefined || name === words[0] ? words : [name, ...words.slice(1)]
  return { words, plain, certain: true, inner }
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

function isScript(word: string | undefined): word is string {
  return word !== undefined && /[\s;&|`$()<>]/.test(word)
}

const NO_TEXTS: readonly string[] = []
const MAX_DEPTH = 5
const MAX_SUFFIXES = 64
