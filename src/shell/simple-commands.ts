import { type Command, parse, type Redirection, type Statement, type Word, type WordPart } from 'unbash'

/** A word as the shell hands it on: its text, or a pattern that the shell replaces by the names of files. */
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
  /** It runs whatever the commands before it did, and in the shell itself: where it goes, the rest of the line is. */
  readonly first: boolean
}

/**
 * The simple commands of a line, in their order. Undefined for every line that is more than simple commands joined by
 * `;`, `&&`, `||`, `|` and new lines: what is expanded, substituted, looped, grouped or left in the background cannot be
 * judged by reading it, and neither can what does not parse. Pure.
 */
export function simpleCommands(line: string): SimpleCommand[] | undefined {
  if (line.length > MAX_CHARACTERS || UNSAFE_CHARACTER.test(line)) return undefined
  const script = parse(line)
  if (script.errors && script.errors.length > 0) return undefined
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

/** A variable that is set for a command may change what it runs, so a command with one is not simple. */
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

/** What `2>&1` and the like do is no file. */
function redirectedFile(redirect: Redirection): { reads?: ShellWord; writes?: ShellWord } | undefined {
  if (redirect.type !== 'Redirect' || !redirect.target) return undefined
  const target = literal(redirect.target)
  if (!target || redirect.descriptor?.type === 'FileDescriptorVariable') return undefined
  if (redirect.operator.endsWith('&') && /^(\d|-)$/.test(target.text)) return {}
  return redirect.operator === '<' ? { reads: target } : { writes: target }
}

function literal({ text, value, parts }: Word): ShellWord | undefined {
  // `~` is a folder, and `=name` the path of a program where the shell is zsh.
  if (/^[~=]/.test(text)) return undefined
  if (parts?.every(isFixed) === false) return undefined
  const pattern = parts?.some(({ type }) => type === 'Glob') === true
  // In a pattern a quoted part stands for itself, which its text alone does not show.
  if (pattern && parts?.some(isQuoted)) return undefined
  return { text: value, pattern }
}

/** Such as `--option=value` written like an assignment: only where nothing in it is special to the shell. */
function literalText(text: string): ShellWord | undefined {
  return /^[\w.,:/@%+=-]+$/.test(text) ? { text, pattern: false } : undefined
}

function isFixed(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every(isFixed)
  return (
    ['Literal', 'SingleQuoted', 'AnsiCQuoted', 'Glob'].includes(part.type) ||
    (part.type === 'SimpleExpansion' && part.text === '$?')
  )
}

function isQuoted({ type }: WordPart): boolean {
  return type !== 'Literal' && type !== 'Glob'
}

const MAX_CHARACTERS = 20_000

/** Control characters, and white space that one shell takes for a space and another for a letter. */
const UNSAFE_CHARACTER = /[^\P{Cc}\n\t]|[^\P{Z} ]|\p{Cf}/u
