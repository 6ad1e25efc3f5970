import { forEachChild, type Command, type Redirection, type SyntaxNode } from 'unbash'
import { nameOf, readsScripts, runsItsArguments, runsOthers } from '../shell/programs-that-run-programs.ts'
import { isFixed, parseLine, type SimpleCommand, simpleCommandsOf } from '../shell/simple-commands.ts'

/** A command as far as it can be read, its program first. A word that only the shell knows is undefined. */
export interface ReadCommand {
  readonly words: readonly (string | undefined)[]
  /** False if it is a text that another command of the line may run. */
  readonly certain: boolean
  /** It stands in the arguments of another command. */
  readonly inner: boolean
}

interface ReadLine {
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
  const read = script ? readCommands(line, script) : { commands: [], whole: false }
  const parsed = { ...read, simple: script && simpleCommandsOf(line, script) }
  last = { line, parsed }
  return parsed
}

/**
 * Every command that a line names, wherever it stands: in loops, groups, functions and substitutions, in the arguments of a
 * program that runs others, and in a text that a shell is given. For rules that refuse: rather too many than too few. Pure.
 */
function readCommands(line: string, script = parseLine(line), depth = 0): ReadLine {
  if (!script || depth > MAX_DEPTH) return { commands: [], whole: false }
  const found: Found = { commands: [], arguments: [], scripts: [], texts: [], shell: false, whole: true }
  visit(script, found)
  const inner = [
    ...found.scripts.map((text) => ({ ...readCommands(text, undefined, depth + 1), certain: true })),
    // `echo "rm -r x" | sh`: a text elsewhere in the line may reach the shell, or may be just a text.
    ...(found.shell ? found.texts : []).map((text) => ({
      ...readCommands(text, undefined, depth + 1),
      certain: false,
      whole: true,
    })),
  ]
  return {
    commands: [
      ...found.commands.map((words) => ({ words, certain: true, inner: false })),
      ...found.arguments.map((words) => ({ words, certain: true, inner: true })),
      ...inner.flatMap(({ commands, certain }) =>
        commands.map((command) => ({ ...command, certain: certain && command.certain, inner: true })),
      ),
    ],
    whole: found.whole && inner.every(({ whole }) => whole),
  }
}

type Words = readonly (string | undefined)[]

interface Found {
  readonly commands: Words[]
  /** Each rest of the arguments of a program that runs others. */
  readonly arguments: Words[]
  /** Texts that are given to a program which runs them. */
  readonly scripts: string[]
  readonly texts: string[]
  /** There is a program that runs what it reads. */
  shell: boolean
  whole: boolean
}

function visit(node: SyntaxNode, found: Found): void {
  if (node.type === 'Script' && 'errors' in node && node.errors) found.whole = false
  if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && !node.script)
    found.whole = false
  if (node.type === 'Command') addCommand(node, found)
  if (node.type === 'Redirected') found.texts.push(...node.redirects.flatMap(textsOf))
  forEachChild(node, (child) => visit(child, found))
}

function addCommand({ name, args, redirects }: Command, found: Found): void {
  if (!name) return
  const words = [name, ...args].map(wordOf)
  const [program] = words
  found.commands.push(words)
  const redirected = redirects.flatMap(textsOf)
  // An alias changes what a later name stands for.
  if (program === undefined || nameOf(program) === 'alias') found.whole = false
  if (program === undefined || !runsOthers(program)) {
    found.texts.push(...redirected, ...words.filter(isScript))
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
    found.arguments.push(words.slice(index))
    if (isScript(word)) (runs ? found.scripts : found.texts).push(word)
    runs ||= runsItsArguments(word)
    if (readsScripts(word)) found.shell = true
  }
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

const MAX_DEPTH = 5
const MAX_SUFFIXES = 64
