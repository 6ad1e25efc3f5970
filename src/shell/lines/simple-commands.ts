import type { Command, ParsedScript, Redirection, Statement } from 'unbash'
import { MAX_CHARACTERS, parseLine } from './parse-line.ts'
import { plainCommands } from './plain-line.ts'
import { literal, literalText, type ShellWord } from './shell-word.ts'

/** A program with its arguments, and the files that the shell opens for it. */
export interface SimpleCommand {
  readonly name: string
  readonly args: readonly ShellWord[]
  readonly reads: readonly ShellWord[]
  readonly writes: readonly ShellWord[]
  /** It runs whether or not the commands before it failed, and in the shell itself: a `cd` changes the folder of the rest. */
  readonly first: boolean
}

interface ReadLine {
  /** Undefined if it is more than simple commands. */
  readonly simple: readonly SimpleCommand[] | undefined
  /** Of a line that is: how it parses, if it does. */
  readonly script?: ParsedScript | undefined
}

let last: { readonly line: string; readonly read: ReadLine } | undefined

/** Several rules and limits read the same line one after the other, so the last one is kept: it is parsed once. */
export function readLine(line: string): ReadLine {
  if (last?.line === line) return last.read
  const read = newlyRead(line)
  last = { line, read }
  return read
}

function newlyRead(line: string): ReadLine {
  const plain = line.length > MAX_CHARACTERS ? undefined : plainCommands(line)
  if (plain) return { simple: plain }
  const script = parseLine(line)
  return { script, simple: script && simpleCommandsOf(line, script) }
}

/**
 * The simple commands of a line, in order. Undefined for every line that is more than simple commands joined by `;`, `&&`,
 * `||`, `|` and newlines: expansions, substitutions, loops, groups and background jobs cannot be judged by reading, and
 * neither can a line that does not parse. Pure.
 */
export function simpleCommands(line: string): readonly SimpleCommand[] | undefined {
  return readLine(line).simple
}

function simpleCommandsOf(line: string, script: ParsedScript): SimpleCommand[] | undefined {
  if (!PRINTABLE_ASCII.test(line) && UNSAFE_CHARACTER.test(line)) return undefined
  const commands: SimpleCommand[] = []
  for (const statement of script.commands) if (!addCommands(statement, commands)) return undefined
  return commands
}

type Part = Exclude<Statement['command'], { type: 'AndOr' }>

/** Returns false if the statement is more than simple commands. */
function addCommands({ command, background }: Statement, commands: SimpleCommand[]): boolean {
  if (background === true) return false
  if (command.type !== 'AndOr') return addPipeline(command, true, commands)
  let isFirst = true
  for (const part of command.commands) {
    if (!addPipeline(part, isFirst, commands)) return false
    isFirst = false
  }
  return true
}

function addPipeline(part: Part, isFirst: boolean, commands: SimpleCommand[]): boolean {
  if (part.type !== 'Pipeline') return addCommand(part, isFirst, commands)
  const first = isFirst && part.commands.length === 1
  for (const member of part.commands) if (!addCommand(member, first, commands)) return false
  return true
}

function addCommand(member: Part, first: boolean, commands: SimpleCommand[]): boolean {
  const simple = member.type === 'Command' ? simpleCommandOf(member, first) : undefined
  if (simple) commands.push(simple)
  return simple !== undefined
}

/** A variable that is set for a command may change what it runs, so such a command is not simple. */
function simpleCommandOf({ name, prefix, suffix }: Command, isFirst: boolean): SimpleCommand | undefined {
  const program = name && literal(name)
  if (!program || program.pattern) return undefined
  const args: ShellWord[] = []
  let files: Files | undefined
  for (const item of prefix) {
    if (item.type === 'Assignment') return undefined
    if (!addRedirected(item, (files ??= { reads: [], writes: [] }))) return undefined
  }
  for (const item of suffix)
    if (item.type === 'Word' || item.type === 'Assignment') {
      const word = item.type === 'Word' ? literal(item) : literalText(item.text)
      if (!word) return undefined
      args.push(word)
    } else if (!addRedirected(item, (files ??= { reads: [], writes: [] }))) return undefined
  const { reads, writes } = files ?? NO_FILES
  return { name: program.text, args, reads, writes, first: isFirst }
}

interface Files {
  readonly reads: ShellWord[]
  readonly writes: ShellWord[]
}

/** `2>&1` and the like name no file. */
function addRedirected(redirect: Redirection, { reads, writes }: Files): boolean {
  if (redirect.type !== 'Redirect' || !redirect.target) return false
  const target = literal(redirect.target)
  if (!target || redirect.descriptor?.type === 'FileDescriptorVariable') return false
  if (redirect.operator.endsWith('&') && /^(\d|-)$/.test(target.text)) return true
  ;(redirect.operator === '<' ? reads : writes).push(target)
  return true
}

const NO_FILES: Pick<SimpleCommand, 'reads' | 'writes'> = { reads: [], writes: [] }

/** Most lines are just this, and it is found out much faster. */
const PRINTABLE_ASCII = /^[\n\t -~]*$/

/** Control characters, and white space that some shells treat as a space and others as a letter. */
const UNSAFE_CHARACTER = /[^\P{Cc}\n\t]|[^\P{Z} ]|\p{Cf}/u
