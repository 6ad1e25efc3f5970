import {
  nameOf,
  ownCommandFrom,
  readsScripts,
  runsItsArguments,
} from '../../shell/programs-that-run-programs.ts'

/** The words of a command, its program first. A word that only the shell knows is undefined. */
export type Words = readonly (string | undefined)[]

/** The parts of a word that may be a command: what is after `=`, after `-S` and the like, and after the `!` of git. */
export function valuesIn(word: string): string[] {
  const values: string[] = []
  for (let rest = word; rest.includes('=') && values.length < MAX_VALUES;) {
    rest = rest.slice(rest.indexOf('=') + 1)
    values.push(rest.replace(/^!/, ''))
  }
  const glued = /^-\w(?=[^])/.test(word) ? [word.slice(2)] : []
  return [...values, ...glued].filter((value) => value !== '')
}

/** The commands in the arguments of a subcommand such as `git bisect run` and `docker run`. */
export function commandsOfSubcommand(unsafe: ReadonlySet<string>, words: Words): readonly Words[] {
  const from = ownCommandFrom(unsafe, words)
  return from === undefined
    ? NONE
    : words.slice(from, from + MAX_WORDS).map((_, index) => words.slice(from + index))
}

/** Whether `xargs`, `parallel` or `find` puts what it has read where a program or a script stands: then it may run anything. */
export function runsWhatItReads([program = '', ...args]: Words): boolean {
  const name = nameOf(program) ?? ''
  if (!READERS.has(name)) return false
  const mark = markOf(args)
  const isMark = (word: string | undefined) => word?.includes(mark) === true
  const starts = args.findIndex(
    (word, index) => !isOption(word) && !OPTIONS_WITH_VALUE.has(args[index - 1] ?? ''),
  )
  const command = name === 'xargs' || name === 'parallel' ? args.slice(Math.max(starts, 0)) : []
  if (name === 'parallel' && starts < 0) return true
  const [first = ''] = command
  const script = command.findIndex((word) => /^-\w*c$/.test(word ?? ''))
  // What is read follows the last word, unless a mark stands for it: after `sh -c SCRIPT` it is only an argument.
  if (runsItsArguments(first) && (!readsScripts(first) || command[script + 1] === undefined || script < 0))
    return true
  return (
    isMark(first) ||
    args.some(
      (word, index) =>
        isMark(word) && (/^-\w*c$/.test(args[index - 1] ?? '') || EXECUTES.test(args[index - 1] ?? '')),
    )
  )
}

function isOption(word: string | undefined): boolean {
  return word?.startsWith('-') === true
}

/** The text that stands for what is read. */
function markOf(args: Words): string {
  const index = args.findIndex((word) => word === '-I' || word === '-J')
  const glued = args.find((word) => /^(?:-[IJi]|--replace=)./.test(word ?? ''))
  return args[index + 1] !== undefined && index >= 0
    ? (args[index + 1] ?? '{}')
    : (glued?.replace(/^(?:-[IJi]|--replace=)/, '') ?? '{}')
}

const NONE: readonly never[] = []
const MAX_VALUES = 4
const MAX_WORDS = 64
const EXECUTES = /^-(?:exec|execdir|ok|okdir|x|X)$|^--exec(?:-batch)?$/
const READERS: ReadonlySet<string> = new Set(['xargs', 'parallel', 'find', 'fd'])
const OPTIONS_WITH_VALUE: ReadonlySet<string> = new Set([
  '-I',
  '-J',
  '-n',
  '-P',
  '-L',
  '-s',
  '-d',
  '-a',
  '-E',
  '-R',
  '-S',
  '-j',
])
/** Builtins that evaluate a text in the place of the name of a variable, substitutions in it included; and makes, by `$(shell …)`. */
export const EVALUATES: ReadonlySet<string> = new Set([
  'let',
  'unset',
  'read',
  'printf',
  'test',
  '[',
  'wait',
  'mapfile',
  'readarray',
  'getopts',
  'make',
  'gmake',
  'just',
])
