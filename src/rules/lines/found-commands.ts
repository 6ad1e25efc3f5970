import { nameOf } from '../../shell/programs-that-run-programs.ts'
import { commandsSaidIn } from './program-code.ts'
import type { Words } from './run-by-others.ts'

/** A command as far as it can be read, its program first. A word that only the shell knows is undefined. */
export interface ReadCommand {
  readonly words: readonly (string | undefined)[]
  /** The same with the program by its name alone, wherever it lies and however its letters are: as rules that refuse compare it. */
  readonly plain: readonly (string | undefined)[]
  /** False if it is a text that another command of the line may run. */
  readonly certain: boolean
  /** It stands in the arguments of another command. */
  readonly inner: boolean
}

/** What is found in a line. */
export interface Found {
  readonly commands: ReadCommand[]
  /** Each rest of the arguments of a program that runs others. */
  readonly arguments: ReadCommand[]
  /** Texts that are given to a program which runs them. */
  readonly scripts: string[]
  readonly texts: string[]
  /** Texts that a program may run, and of which that is not certain. */
  readonly mentioned: string[]
  /** Interpreters that run what they read. */
  readonly interpreters: string[]
  /** There is a program that runs what it reads. */
  shell: boolean
  /** There is one to which nothing else is given. */
  readsInput: boolean
  /** A program that runs others prints something. */
  printsUnknown: boolean
  whole: boolean
}

export function nothingFound(): Found {
  return {
    commands: [],
    arguments: [],
    scripts: [],
    texts: [],
    mentioned: [],
    interpreters: [],
    shell: false,
    readsInput: false,
    printsUnknown: false,
    whole: true,
  }
}

/** For rules that refuse the program counts by its name, wherever it lies and however its letters are. */
export function commandOf(words: Words, name: string | undefined, inner: boolean): ReadCommand {
  // Its words are read already: a folder may have any character in its name, and a tilde is a folder too.
  const called = name ?? lastPart(words[0])
  const plain = called === undefined || called === words[0] ? words : [called, ...words.slice(1)]
  return { words, plain, certain: true, inner }
}

function lastPart(program: string | undefined): string | undefined {
  return program?.slice(program.lastIndexOf('/') + 1).toLowerCase() || undefined
}

/** A command that may be run, and of which that is not certain. */
export function addUncertain(words: Words, found: Found): void {
  const [first] = words
  if (first !== undefined) found.arguments.push({ ...commandOf(words, nameOf(first), true), certain: false })
}

/** A text that may be run, by a shell or by another program. */
export function addMentioned(text: string, found: Found): void {
  if (isScript(text)) found.mentioned.push(text)
  addSaid(text, found)
}

/** A text of another language, in which commands may be said. */
export function addSaid(text: string, found: Found): void {
  for (const words of commandsSaidIn(text)) addUncertain(words, found)
}

export function isScript(word: string | undefined): word is string {
  return word !== undefined && /[\s;&|`$()<>]/.test(word)
}

export const NO_TEXTS: readonly string[] = []
