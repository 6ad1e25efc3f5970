import type { SimpleCommand } from './simple-commands.ts'
import type { ShellWord } from './shell-word.ts'

/**
 * The simple commands of a line that has nothing but plain words, texts in quotes in which nothing is special, and `&&`, `||`,
 * `;` and `|` between commands: the same as parsing it finds, in a small part of the time. Undefined for every other line. Pure.
 */
export function plainCommands(line: string): SimpleCommand[] | undefined {
  const commands: SimpleCommand[] = []
  const { length } = line
  let position = 0
  let name: string | undefined
  let args: ShellWord[] = []
  /** Whether the command begins a list, and whether it reads from the one before it. */
  let isFirst = true
  let isPiped = false
  while (position < length) {
    const start = position
    const code = line.charCodeAt(start)
    position += 1
    if (code === SPACE) continue
    if (KINDS[code] === PLAIN) {
      while (position < length && KINDS[line.charCodeAt(position)] === PLAIN) position += 1
      if (!isWordEnd(line, position)) return undefined
      const text = line.slice(start, position)
      if (name !== undefined) args.push({ text, pattern: false })
      else if (RESERVED.has(text)) return undefined
      else name = text
    } else if (code === DOUBLE || code === SINGLE) {
      while (position < length && KINDS[line.charCodeAt(position)]) position += 1
      if (name === undefined || position === length || line.charCodeAt(position) !== code) return undefined
      args.push({ text: line.slice(start + 1, position), pattern: false })
      position += 1
      if (!isWordEnd(line, position)) return undefined
    } else {
      const isDouble = position < length && line.charCodeAt(position) === code
      if (
        name === undefined ||
        !(code === SEMICOLON ? !isDouble : code === BAR || (code === AND && isDouble))
      )
        return undefined
      if (isDouble) position += 1
      const isPipe = code === BAR && !isDouble
      commands.push(commandOf(name, args, isFirst && !isPiped && !isPipe))
      name = undefined
      args = []
      isPiped = isPipe
      isFirst = code === SEMICOLON || (isFirst && isPipe)
    }
  }
  if (name === undefined) return undefined
  commands.push(commandOf(name, args, isFirst && !isPiped))
  return commands
}

function commandOf(name: string, args: readonly ShellWord[], first: boolean): SimpleCommand {
  return { name, args, reads: NONE, writes: NONE, first }
}

function isWordEnd(line: string, position: number): boolean {
  if (position === line.length) return true
  const code = line.charCodeAt(position)
  return code === SPACE || code === SEMICOLON || code === AND || code === BAR
}

const NONE: readonly ShellWord[] = []
const [SPACE, DOUBLE, SINGLE, AND, SEMICOLON, BAR] = [0x20, 0x22, 0x27, 0x26, 0x3b, 0x7c]

/** Nothing special to a shell wherever it stands; or nothing special in quotes. */
const [PLAIN, IN_QUOTES] = [1, 2]
const KINDS = kindsOf()

function kindsOf(): Uint8Array {
  const kinds = new Uint8Array(128)
  for (let code = 0; code < kinds.length; code += 1) {
    const char = String.fromCharCode(code)
    if (/[\w.,:/@%+-]/.test(char)) kinds[code] = PLAIN
    else if (/[ =()]/.test(char)) kinds[code] = IN_QUOTES
  }
  return kinds
}

/** At the start of a command these are the shell's own. */
const RESERVED: ReadonlySet<string> = new Set(
  'if then else elif fi do done case esac while until for foreach select repeat function in end time coproc'.split(
    ' ',
  ),
)
