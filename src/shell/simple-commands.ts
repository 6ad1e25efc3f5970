import {
  type Command,
  parse,
  type ParsedScript,
  type Redirection,
  type Statement,
  type Word,
  type WordPart,
} from 'unbash'

/** A word as the shell passes it on: its text, or a pattern that the shell replaces by the names of files. */
export interface ShellWord {
  readonly text: string
  readonly pattern: boolean
}

/** A program with its arguments, and the files that the shell opens for it. */
export interface SimpleCommand {
  readonly name: string
  readonly args: readonly ShellWord[]
  readonly reads: readonly ShellWord[]
  readonly writes: readonly ShellWord[]
  /** It runs whether or not the commands before it failed, and in the shell itself: a `cd` changes the folder of the rest. */
  readonly first: boolean
}

/**
 * The line as bash parses it; undefined if it does not parse, or could take long to parse: a child must not be able to keep
 * the hub busy, or to make it fail, by what it asks for. Pure.
 */
export function parseLine(line: string): ParsedScript | undefined {
  if (line.length > MAX_CHARACTERS || line.includes('$[')) return undefined
  if (countOf(line, '{') > MAX_OPENED || countOf(line, '<<') > MAX_OPENED) return undefined
  try {
    const script = parse(line)
    return script.errors ? undefined : script
  } catch {
    return undefined // the parser recurses, and a line can be nested too deep for it
  }
}

function countOf(line: string, text: string): number {
  let count = 0
  for (let index = line.indexOf(text); index >= 0; index = line.indexOf(text, index + text.length)) count += 1
  return count
}

/**
 * The simple commands of a line, in order. Undefined for every line that is more than simple commands joined by `;`, `&&`,
 * `||`, `|` and newlines: expansions, substitutions, loops, groups and background jobs cannot be judged by reading, and
 * neither can a line that does not parse. Pure.
 */
export function simpleCommands(line: string): SimpleCommand[] | undefined {
  const script = parseLine(line)
  return script && simpleCommandsOf(line, script)
}

/** The same for a line that is parsed already. */
export function simpleCommandsOf(line: string, script: ParsedScript): SimpleCommand[] | undefined {
  if (!PRINTABLE_ASCII.test(line) && UNSAFE_CHARACTER.test(line)) return undefined
  const commands: SimpleCommand[] = []
  for (const statement of script.commands) {
    const simple = commandsOf(statement)
    if (!simple) return undefined
    commands.push(...simple)
  }
  return commands
}

function commandsOf({ command, background }: Statement): SimpleCommand[] | undefined {
  if (background === true) return undefined
  const commands: SimpleCommand[] = []
  for (const [index, part] of (command.type === 'AndOr' ? command.commands : [command]).entries()) {
    const members = part.type === 'Pipeline' ? part.commands : [part]
    for (const member of members) {
      const first = index === 0 && members.length === 1
      const simple = member.type === 'Command' ? simpleCommandOf(member, first) : undefined
      if (!simple) return undefined
      commands.push(simple)
    }
  }
  return commands
}

/** A variable that is set for a command may change what it runs, so such a command is not simple. */
function simpleCommandOf(
  { name, args, prefix, redirects }: Command,
  isFirst: boolean,
): SimpleCommand | undefined {
  const first = name && literal(name)
  if (!first || first.pattern || prefix.some(({ type }) => type === 'Assignment')) return undefined
  const words: ShellWord[] = []
  for (const arg of args) {
    const word = arg.type === 'Word' ? literal(arg) : literalText(arg.text)
    if (!word) return undefined
    words.push(word)
  }
  if (redirects.length === 0) return { name: first.text, args: words, reads: [], writes: [], first: isFirst }
  const files = redirects.map(redirectedFile)
  if (files.includes(undefined)) return undefined
  return {
    name: first.text,
    args: words,
    reads: files.flatMap((file) => file?.reads ?? []),
    writes: files.flatMap((file) => file?.writes ?? []),
    first: isFirst,
  }
}

/** `2>&1` and the like name no file. */
function redirectedFile(redirect: Redirection): { reads?: ShellWord; writes?: ShellWord } | undefined {
  if (redirect.type !== 'Redirect' || !redirect.target) return undefined
  const target = literal(redirect.target)
  if (!target || redirect.descriptor?.type === 'FileDescriptorVariable') return undefined
  if (redirect.operator.endsWith('&') && /^(\d|-)$/.test(target.text)) return {}
  return redirect.operator === '<' ? { reads: target } : { writes: target }
}

function literal({ text, value, parts }: Word): ShellWord | undefined {
  // `~` is a folder, and `=name` the path of a program where the shell is zsh.
  if (text.startsWith('~') || text.startsWith('=')) return undefined
  if (!parts) return { text: value, pattern: false }
  if (!parts.every(isFixed)) return undefined
  const pattern = parts.some(({ type }) => type === 'Glob')
  // In a pattern a quoted part is literal, which its text alone does not show.
  if (pattern && parts.some(isQuoted)) return undefined
  return { text: value, pattern }
}

/** An argument such as `--option=value` that parses as an assignment: only if nothing in it is special to the shell. */
function literalText(text: string): ShellWord | undefined {
  return /^[\w.,:/@%+=-]+$/.test(text) ? { text, pattern: false } : undefined
}

/** Whether the shell passes this part on as it is written. */
export function isFixed(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every(isFixed)
  return (
    ['Literal', 'SingleQuoted', 'AnsiCQuoted', 'Glob'].includes(part.type) ||
    (part.type === 'SimpleExpansion' && part.text === '$?')
  )
}

function isQuoted({ type }: WordPart): boolean {
  return type !== 'Literal' && type !== 'Glob'
}

/** Most lines are just this, and it is found out much faster. */
const PRINTABLE_ASCII = /^[\n\t -~]*$/

/** Control characters, and white space that some shells treat as a space and others as a letter. */
const UNSAFE_CHARACTER = /[^\P{Cc}\n\t]|[^\P{Z} ]|\p{Cf}/u

const MAX_CHARACTERS = 20_000

/** For each of these that is open, and for each `$[`, the parser reads the rest of the line again. */
const MAX_OPENED = 400
