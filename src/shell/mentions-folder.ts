import type { ShellContext } from './harmless.ts'
import { expandPattern, type FileLookup, isWithin, resolvePath, tidied } from './path-bounds.ts'
import type { ShellWord } from './lines/shell-word.ts'
import { simpleCommands } from './lines/simple-commands.ts'

/** The paths that are looked for in a line: all in a folder, or those of which this is true. */
type Sought = string | ((real: string) => boolean)

/**
 * Whether a command line names something inside a folder: by its path, or by a word that leads there through links. A line
 * that is more than simple commands is only searched for the path.
 */
export function mentionsFolder(line: string, folder: string, place: ShellContext): boolean {
  return line.includes(folder) || namesPath(line, place, folder)
}

/** Whether a word of a line of simple commands leads to such a path, in the folder that the shell may be in by then. */
export function namesPath(line: string, { files, cwd }: ShellContext, sought: Sought): boolean {
  const folders = [folderOf(cwd, sought)]
  const search = { files, folders, sought }
  for (const { name, args, reads, writes } of simpleCommands(line) ?? []) {
    if (oneLeads(args, search) || oneLeads(reads, search) || oneLeads(writes, search)) return true
    // Whether a `cd` succeeds is not known, so the folders before it count too.
    const entered =
      name === 'cd' && args[0] ? resolvePath(files, folders.at(-1)?.path ?? '/', args[0].text) : undefined
    if (entered !== undefined && folders.length < MAX_FOLDERS) folders.push(folderOf(entered, sought))
  }
  return false
}

/** A folder that the shell may be in, and whether what is not there could still be a path that is looked for. */
interface Folder {
  readonly path: string
  readonly mayHold: boolean
}

function folderOf(cwd: string, sought: Sought): Folder {
  const path = tidied(cwd)
  return { path, mayHold: typeof sought !== 'string' || isWithin(path, sought) || isWithin(sought, path) }
}

interface Search {
  readonly files: FileLookup
  readonly folders: readonly Folder[]
  readonly sought: Sought
}

function oneLeads(words: readonly ShellWord[], search: Search): boolean {
  for (const word of words) if (wordLeads(word, search)) return true
  return false
}

/** As a whole, as the value of `--option=value` and `-Ivalue`, and by the names that a pattern matches. */
function wordLeads({ text, pattern }: ShellWord, search: Search): boolean {
  if (leads(text, search)) return true
  const equals = text.indexOf('=')
  if (equals >= 0 && leads(text.slice(equals + 1), search)) return true
  if (text.startsWith('-') && leads(withoutLetter(text), search)) return true
  if (!pattern) return false
  const { files, folders } = search
  return folders.some(({ path }) => expandPattern(files, path, text)?.some((one) => leads(one, search)))
}

/** Of `-Ivalue` the value, and of `-I` nothing; by hand, because many words are options of one letter. */
function withoutLetter(option: string): string {
  const isLetter = option.length === 2 && LETTERS.includes(option.charAt(1))
  return isLetter ? '' : option.replace(/^-+\w/, '')
}

function leads(path: string, { files, folders, sought }: Search): boolean {
  for (const folder of folders) {
    // Most words name no file, and where nothing that is looked for could lie it is enough to know that.
    if (!folder.mayHold && files.lacks?.(folder.path, path) === true) continue
    const end = resolvePath(files, folder.path, path)
    if (end !== undefined && (typeof sought === 'string' ? isWithin(end, sought) : sought(end))) return true
  }
  return false
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MAX_FOLDERS = 20
