import {
  isInterpreter,
  isShellName,
  nameOf,
  runsItsArguments,
} from '../../shell/programs-that-run-programs.ts'
import { knownProgram } from './known-program.ts'
import type { Words } from './run-by-others.ts'

/** Whether a command runs what it reads: a shell or an interpreter without a script, also after a program such as `sudo`. */
export function readsItsInput(words: Words): boolean {
  const [program = ''] = words
  const name = knownProgram(program).name ?? ''
  // `make` is no shell, and none of its arguments is a program.
  if (MAKES.has(name)) return readsFile(words.slice(1))
  if (readsAs(name, words.slice(1))) return true
  // Of the arguments of `bash build.sh` none is a program.
  if (isShellName(name) || !(runsItsArguments(program) || RUNS_ELSEWHERE.has(name))) return false
  return words.some(
    (word, index) => index > 0 && word !== undefined && readsAs(nameOf(word) ?? '', words.slice(index + 1)),
  )
}

function readsAs(name: string, args: Words): boolean {
  if (isShellName(name)) return shellReads(args)
  if (isInterpreter(name) || name === 'gdb' || name === 'lldb') return interpreterReads(name, args)
  if (name === 'source' || name === '.') return isInput(args[0])
  if (ASKS_FOR_A_SHELL.has(name)) return args.length === 0 || args.some((arg) => AS_SHELL.test(arg ?? ''))
  if (MAKES.has(name)) return readsFile(args)
  if (STARTS_SHELL.has(name)) return !args.some((arg) => GIVEN.test(arg ?? ''))
  const least = SHELL_AFTER.get(name)
  return least !== undefined && operandCount(args) <= least
}

/** A shell that is given neither a text nor a file. */
function shellReads(args: Words): boolean {
  for (const [index, arg = ''] of args.entries()) {
    if (isInput(arg) || /^-\w*s/.test(arg)) return true
    if (/^-\w*c/.test(arg)) return false
    if (!/^[-+]/.test(arg) && !SHELL_VALUES.has(args[index - 1] ?? '')) return false
  }
  return true
}

function interpreterReads(name: string, args: Words): boolean {
  if (name === 'ed' || name === 'red' || name === 'ex') return true
  if (/awk|sed$/.test(name)) return readsFile(args)
  if (args.some(isInput)) return true
  if (args.some((arg) => ONLY_SAYS.test(arg ?? '') || (arg === '-v' && !name.startsWith('py')))) return false
  if (TAKES_A_DATABASE.test(name)) return !args.some((arg) => GIVEN_CODE.test(arg ?? ''))
  return args.every((arg) => arg?.startsWith('-') === true && !GIVEN_CODE.test(arg))
}

/** `-f -` */
function readsFile(args: Words): boolean {
  return args.some(
    (arg, index) => arg?.startsWith('-f') === true && isInput(arg === '-f' ? args[index + 1] : arg.slice(2)),
  )
}

/** Words that are no option and do not follow one: rather too few than too many. */
function operandCount(args: Words): number {
  return args.filter((arg, index) => !arg?.startsWith('-') && !args[index - 1]?.startsWith('-')).length
}

function isInput(word: string | undefined): boolean {
  return word !== undefined && INPUTS.has(word)
}

/** Whether all that such a command prints stands in the line, or in a file. */
export function printsWhatItSays([program = '', ...args]: Words): boolean {
  const name = nameOf(program) ?? program
  if (!PRINTERS.has(name)) return false
  // `printf '\162m x'` and `printf 'r%s x' m` print what no word of the line says.
  return name === 'printf'
    ? PRINTS_WORDS.test(args[0] ?? '')
    : !(name === 'echo' && args.some((arg) => /\\[^n]/.test(arg ?? '')))
}

const PRINTERS: ReadonlySet<string> = new Set(['echo', 'printf', 'cat', 'tee', 'true', ':'])
/** A format that prints its words, or has none to print. */
const PRINTS_WORDS = /^(?:(?:%s(?:\\n|\s)*)*|(?:[^%\\]|\\n)*)$/
const INPUTS: ReadonlySet<string> = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])
const SHELL_VALUES: ReadonlySet<string> = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file'])
const MAKES: ReadonlySet<string> = new Set(['make', 'gmake', 'just', 'ninja'])
const TAKES_A_DATABASE = /^(?:sqlite|psql|mysql|mariadb|mongosh|redis-cli|lftp|ftp|gdb|lldb)/
/** It prints that and ends; `python -v` does not. */
const ONLY_SAYS = /^(?:-V|--version|--help)$/
/** An option with the code itself, or with a file or module of it. */
const GIVEN_CODE = /^-\w*[cemprxEf]|^--(?:eval|print|command|execute|file)/
/** Of the arguments of these one may be a shell. */
const RUNS_ELSEWHERE: ReadonlySet<string> = new Set(['ssh', 'docker', 'podman', 'nerdctl', 'kubectl', 'oc'])
const ASKS_FOR_A_SHELL: ReadonlySet<string> = new Set(['sudo', 'doas'])
const AS_SHELL = /^-\w*[si]|^--(?:shell|login)/
/** Without a command these start a shell, or read what to run. */
const STARTS_SHELL: ReadonlySet<string> = new Set(
  'su runuser newgrp sg login at batch crontab script'.split(' '),
)
const GIVEN = /^-\w*[clre]|^--(?:command|session-command|list)/
/** With at most so many operands these start a shell. */
const SHELL_AFTER: ReadonlyMap<string, number> = new Map([
  ['unshare', 0],
  ['nsenter', 0],
  ['chroot', 1],
  ['ssh', 1],
])
