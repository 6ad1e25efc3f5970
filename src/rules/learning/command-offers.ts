import { isHarmlessCommand, everyCommand, type ShellContext } from '../../shell/harmless.ts'
import { commandStart } from '../../shell/programs-that-run-programs.ts'
import type { SimpleCommand } from '../../shell/lines/simple-commands.ts'
import { parsedLine, wordsOf } from '../lines/read-commands.ts'
import type { Rule } from '../rule.ts'
import { isPlainWord, literalWords } from './word-pattern.ts'

/** A command that needs a rule, with its words as a pattern writes them. */
interface Needed {
  readonly command: SimpleCommand
  readonly words: readonly string[]
}

type Content = Omit<Rule, 'id'>

/**
 * Rules for the commands of a line, the narrowest first: these words, these words with any after them, any use of the same
 * subcommand. None for a line that is more than simple commands, because no rule allows such a line.
 */
export function commandOffers(line: string, place: ShellContext, harmlessIsAllowed: boolean): Content[] {
  const needed = neededCommands(line, place, harmlessIsAllowed)
  if (!needed || needed.length === 0) return []
  const writes = needed.some(({ command }) => command.writes.some(({ text }) => text !== '/dev/null'))
  // The same relative path is another program in another folder.
  const isPathBound = needed.some(({ command: { name } }) => name.includes('/') && !name.startsWith('/'))
  const shapes = [exactly, withMoreWords, anyUse].map((shape) => patternsBy(shape, needed))
  const lists = shapes.flatMap((patterns) => (patterns ? [patterns] : []))
  const different = lists.filter(
    (patterns, index) => lists.findIndex((one) => one.join('\n') === patterns.join('\n')) === index,
  )
  return different.map((command) => ({
    effect: 'allow',
    command,
    ...(writes ? { redirect: 'inside' as const } : {}),
    ...(isPathBound ? { folder: place.cwd } : {}),
  }))
}

/** The commands of the line that are not allowed anyway; undefined if one of them cannot be said by a rule. */
function neededCommands(line: string, place: ShellContext, harmlessIsAllowed: boolean): Needed[] | undefined {
  const { simple } = parsedLine(line)
  if (!simple || line.length > MAX_CHARACTERS) return undefined
  const needed: Needed[] = []
  const isCertain = everyCommand(simple, place, (command, here) => {
    if (harmlessIsAllowed && isHarmlessCommand(command, here)) return true
    const words = literalWords(wordsOf(command))
    if (words) needed.push({ command, words })
    return words !== undefined
  })
  return isCertain ? needed : undefined
}

type Shape = (needed: Needed) => string | undefined

/** Undefined if one of the commands has no such pattern. */
function patternsBy(shape: Shape, needed: readonly Needed[]): string[] | undefined {
  const patterns = needed.map(shape)
  const said = patterns.filter((pattern) => pattern !== undefined)
  return said.length === patterns.length ? [...new Set(said)] : undefined
}

function exactly({ words }: Needed): string {
  return words.join(' ')
}

/** After the words that name something: `npm run build *` of `npm run build --if-present`. */
function withMoreWords({ command: { name, args }, words }: Needed): string | undefined {
  const start = commandStart([name, args[0]?.text ?? ''])
  if (start === undefined) return undefined
  const named = args.findIndex(({ text }) => !isPlainWord(text))
  const count = 1 + Math.min(named < 0 ? args.length : named, MAX_NAMING_WORDS)
  return `${words.slice(0, Math.max(count, wordsIn(start))).join(' ')} *`
}

function anyUse({ command: { name, args }, words }: Needed): string | undefined {
  const start = commandStart([name, args[0]?.text ?? ''])
  return start === undefined ? undefined : `${words.slice(0, wordsIn(start)).join(' ')} *`
}

function wordsIn(start: string): number {
  return start.split(' ').length
}

/** No rule is made from a command that is too long for a person to read. */
const MAX_CHARACTERS = 500
const MAX_NAMING_WORDS = 3
