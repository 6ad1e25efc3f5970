import {
  INTERPRETERS,
  SHELL_WORDS,
  SHELLS,
  STARTERS,
  UNSAFE_SUBCOMMANDS,
  WRAPPERS,
} from './programs/known-programs.ts'

/**
 * The start of a simple command after which a rule may leave the rest open: its program, with the subcommand if it has
 * one. Undefined if the rest could be any other command. The words are as written, before the shell reads them.
 */
export function commandStart([program = '', second = '']: readonly string[]): string | undefined {
  const name = nameOf(program)
  if (name === undefined || runsPrograms(name)) return undefined
  const unsafe = UNSAFE_SUBCOMMANDS.get(name)
  if (!unsafe) return program
  return PLAIN_WORD.test(second) && !unsafe.has(second) ? `${program} ${second}` : undefined
}

/**
 * Where the arguments of a subcommand begin that may be a command of their own; undefined if it runs none. An option may have
 * a value, and a subcommand others (`docker container run`), so it is looked for in all words.
 */
export function ownCommandFrom(
  unsafe: ReadonlySet<string>,
  words: readonly (string | undefined)[],
): number | undefined {
  if (unsafe.size === 0) return undefined
  for (let index = 1; index < words.length; index += 1) if (unsafe.has(words[index] ?? '')) return index + 1
  return undefined
}

/** Whether it runs its arguments as a command, or its input as a script. */
export function runsItsArguments(program: string): boolean {
  const name = nameOf(program) ?? ''
  return isShellName(name) || isAmong(SHELL_WORDS, name) || isAmong(WRAPPERS, name) || isLoader(name)
}

/** The program that starts others: `ld-linux-x86-64.so.2 /bin/ls` is `ls`. */
function isLoader(name: string): boolean {
  return name.startsWith('ld-') && LOADER.test(name)
}

const LOADER = /^ld-(?:linux|musl)[\w.-]*\.so[\d.]*$/

const READERS: ReadonlySet<string> = new Set(['xargs', 'gxargs', 'parallel'])

/** Whether it is a shell, of a name as `nameOf` returns it. */
export function isShellName(name: string): boolean {
  return isAmong(SHELLS, name)
}

/** Whether it has a language of its own, in which others can be started; of a name as `nameOf` returns it. */
export function isInterpreter(name: string): boolean {
  return isAmong(INTERPRETERS, name)
}

/** Whether it runs what it reads as a script. */
export function readsScripts(program: string): boolean {
  const name = nameOf(program) ?? ''
  return isShellName(name) || isAmong(SHELL_WORDS, name) || READERS.has(name)
}

/**
 * Whether it runs other programs, or code from its arguments: a caller who may start one of these with any arguments may run
 * anything. Of a name as `nameOf` returns it.
 */
export function runsPrograms(name: string): boolean {
  return isAmong(RUNS_PROGRAMS, name) || isLoader(name)
}

const RUNS_PROGRAMS: ReadonlySet<string> = new Set([
  ...SHELLS,
  ...SHELL_WORDS,
  ...WRAPPERS,
  ...INTERPRETERS,
  ...STARTERS,
])

/** With or without a version: `python3.12` counts as python, `zsh-5.9` as zsh; `clang++-17` is not in the list. */
function isAmong(names: ReadonlySet<string>, name: string): boolean {
  if (names.has(name)) return true
  const last = name.charCodeAt(name.length - 1)
  return last <= NINE && names.has(name.replace(/[\d.-]+$/, ''))
}

/** Digits, the dot and the hyphen come before it in ASCII, and letters after it. */
const NINE = '9'.charCodeAt(0)

/** Without its path, in lower case: on some file systems `SH` is `sh`. Undefined if it is more than a plain name or path. */
export function nameOf(program: string): string | undefined {
  if (!PLAIN_PROGRAM.test(program)) return undefined
  const slash = program.lastIndexOf('/')
  return (slash < 0 ? program : program.slice(slash + 1)).toLowerCase() || undefined
}

/** Nothing special to a shell: no assignment, quote, wildcard or expansion. */
const PLAIN_PROGRAM = /^[\w./@+-]+$/
const PLAIN_WORD = /^\w[\w:.-]*$/
