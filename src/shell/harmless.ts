import { gitRunsNothing } from './git-repository.ts'
import { findFolders } from './harmless-uses/harmless-find.ts'
import { harmlessGitUse } from './harmless-uses/harmless-git.ts'
import { fileOperands } from './harmless-uses/harmless-options.ts'
import { HARMLESS_PROGRAMS, VERSION_ONLY } from './harmless-uses/harmless-programs.ts'
import { type Bounds, resolvePath, type FileLookup, isInBounds, wordInBounds } from './path-bounds.ts'
import type { ShellWord } from './lines/shell-word.ts'
import { type SimpleCommand, simpleCommands } from './lines/simple-commands.ts'

/** Where a command would run, and what it may reach there. */
export interface ShellContext {
  readonly files: FileLookup
  readonly bounds: Bounds
  /** The real path of the folder that the shell is in. */
  readonly cwd: string
  /** Its user has trusted the folder: its repository may run what it is configured to. */
  readonly trusted: boolean
}

/**
 * Whether a command line is known to be harmless: it only prints and reads files in the session's folders. Anything not
 * known is not harmless. Reads the disk, because a link in the folder may lead out of it.
 */
export function isHarmless(line: string, place: ShellContext): boolean {
  const commands = simpleCommands(line)
  if (!commands || commands.length === 0) return false
  return everyCommand(commands, place, isHarmlessCommand)
}

/** Judges each command in turn, in the folder that the shell is in by then. */
export function everyCommand(
  commands: readonly SimpleCommand[],
  place: ShellContext,
  judge: (command: SimpleCommand, place: ShellContext, index: number) => boolean,
): boolean {
  let here = place
  let index = 0
  for (const command of commands) {
    // A folder after `cd` is in bounds, else it would not be certain.
    if (index === 0 && !isInBounds(place.bounds, place.cwd)) return false
    if (command.name === 'cd') {
      const cwd = folderAfterCd(command, here)
      if (cwd === undefined) return false
      here = { ...place, cwd }
    } else if (!judge(command, here, index)) return false
    index += 1
  }
  return true
}

/**
 * The folder of the shell after `cd`; undefined if that is not certain. A path through a link is rejected: for `..` the shell
 * then goes back by the link's name, and a program by the link's target.
 */
function folderAfterCd(
  { args, reads, writes, first }: SimpleCommand,
  place: ShellContext,
): string | undefined {
  const [folder] = args
  if (!first || args.length !== 1 || !folder || folder.pattern || reads.length + writes.length > 0)
    return undefined
  // `-1` and `+1` are earlier folders.
  if (/^[-+]/.test(folder.text)) return undefined
  const { files, bounds, cwd } = place
  const real = resolvePath(files, cwd, folder.text)
  // If the folder may be listed but not entered, the shell stays where it is.
  if (!isInBounds(bounds, real) || !files.names(real) || files.realPath(`${real}/.`) === undefined)
    return undefined
  return resolveByName(cwd, folder.text) === real ? real : undefined
}

/** Resolves `.` and `..` by names alone, as the shell does. */
function resolveByName(cwd: string, path: string): string {
  const names = path.startsWith('/') ? [] : cwd.split('/')
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '.') names.push(name)
  }
  return `/${names.filter((name) => name !== '').join('/')}`
}

export function isHarmlessCommand(command: SimpleCommand, place: ShellContext): boolean {
  const { reads, writes } = command
  if (writes.some(({ text, pattern }) => pattern || text !== '/dev/null')) return false
  const words = fileWordsOf(command, place)
  if (!words) return false
  const sources = reads.filter(({ text }) => text !== '/dev/null')
  return [...words, ...sources].every(
    (word) => isStdin(word) || wordInBounds(place.files, place.bounds, place.cwd, word),
  )
}

/** The words of a harmless call that may name files; undefined if the call is not known to be harmless. */
function fileWordsOf({ name, args }: SimpleCommand, place: ShellContext): ShellWord[] | undefined {
  const [first] = args
  if (VERSION_ONLY.has(name) && args.length === 1 && first?.text === '--version') return []
  if (name === 'command')
    return first?.text === '-v' && args.length === 2 && !args[1]?.pattern ? [] : undefined
  if (name === 'find') return findFolders(args)
  if (name === 'git') {
    const git = harmlessGitUse(args)
    if (!git || !(place.trusted || gitRunsNothing(place.files, place.bounds, place.cwd))) return undefined
    return fileOperands(git.harmless, args.slice(git.rest))
  }
  const program = HARMLESS_PROGRAMS.get(name)
  const words = program && fileOperands(program, args)
  return program?.noFolders && words?.some((word) => mayBeFolder(word, place)) ? undefined : words
}

function mayBeFolder({ text, pattern }: ShellWord, { files, cwd }: ShellContext): boolean {
  const path = pattern ? undefined : resolvePath(files, cwd, text)
  return path === undefined || files.realPath(`${path}/.`) !== undefined
}

function isStdin({ text }: ShellWord): boolean {
  return text === '-'
}
