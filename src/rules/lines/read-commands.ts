import { parseLine } from '../../shell/lines/parse-line.ts'
import { readLine, type SimpleCommand } from '../../shell/lines/simple-commands.ts'
import { addWords } from './add-words.ts'
import { addSaid, type Found, isScript, NO_TEXTS, nothingFound, type ReadCommand } from './found-commands.ts'
import { knownProgram } from './known-program.ts'
import { couldRunPrograms } from './program-code.ts'
import { printsWhatItSays } from './reads-input.ts'
import type { Words } from './run-by-others.ts'
import { visitAll } from './walk-line.ts'

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
  const { script, simple } = readLine(line)
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
  if (found.interpreters.length > 0) addPrinted(found)
  if (found.scripts.length === 0 && found.mentioned.length === 0 && !found.shell && !found.readsInput)
    return {
      commands: found.arguments.length === 0 ? commands : [...commands, ...found.arguments],
      whole: found.whole,
    }
  const inner = [
    ...found.scripts.map((text) => ({ ...readCommands(text, undefined, depth + 1), certain: true })),
    ...uncertainTexts(found, depth).map((text) => ({
      commands: text.length <= MAX_TEXT ? readCommands(text, undefined, depth + 1).commands : [],
      certain: false,
      whole: text.length <= MAX_TEXT,
    })),
  ]
  // `curl x | sh`: what is printed is known to nobody.
  const isInputKnown = !found.readsInput || (!found.printsUnknown && ordinary(found).every(printsWhatItSays))
  return {
    commands: [
      ...commands,
      ...found.arguments,
      ...inner.flatMap(({ commands: read, certain }) =>
        read.map((command) => ({ ...command, certain: certain && command.certain, inner: true })),
      ),
    ],
    whole: found.whole && isInputKnown && inner.every(({ whole }) => whole),
  }
}

/** `echo '!rm x' | ed`: what the line says may reach an interpreter. */
function addPrinted(found: Found): void {
  const said = [...found.texts, ...ordinary(found).map((words) => words.slice(1).join(' '))]
  for (const text of said) {
    addSaid(text, found)
    if (found.interpreters.some((name) => couldRunPrograms(name, text))) found.whole = false
  }
}

/** `echo rm -r x | sh`: a text elsewhere in the line may reach the shell, or may be just a text. */
function uncertainTexts(found: Found, depth: number): string[] {
  // Texts in such texts are few, and each of them would be parsed again.
  const mentioned = depth <= MAX_MENTIONED ? found.mentioned : []
  if (!found.shell) return mentioned
  const said = ordinary(found)
  const printed = said.map((words) => words.slice(1).join(' ')).filter((text) => text !== '')
  return [...new Set([...mentioned, ...found.texts, ...said.flat().filter(isScript), ...printed])]
}

/** The commands that run no others: their words may be texts for a shell. */
function ordinary({ commands }: Found): Words[] {
  return commands.flatMap(({ words }) =>
    words[0] !== undefined && knownProgram(words[0]).runs ? [] : [words],
  )
}

const MAX_DEPTH = 5
const MAX_MENTIONED = 2
/** A longer one is not searched: to parse it again and again would take too long. */
const MAX_TEXT = 20_000
