import type { ShellContext } from './harmless.ts'
import { expandPattern, resolvePath, isWithin } from './path-bounds.ts'
import type { ShellWord } from './lines/shell-word.ts'
import { simpleCommands } from './lines/simple-commands.ts'

/**
 * Whether a command line names something inside a folder: by its path, or by a word that leads there through links. A line
 * that is more than simple commands is only searched for the path.
 */
export function mentionsFolder(line: string, folder: string, place: ShellContext): boolean {
  return line.includes(folder) || namesPath(line, place, (real) => isWithin(real, folder))
}

/** Whether a word of a line of simple commands leads to such a path, in the folder that the shell may be in by then. */
export function namesPath(line: string, place: ShellContext, isSought: (real: string) => boolean): boolean {
  const { files } = place
  const folders = [place.cwd]
  const leads = (path: string) => {
    for (const folder of folders) {
      const end = resolvePath(files, folder, path)
      if (end !== undefined && isSought(end)) return true
    }
    return false
  }
  for (const { name, args, reads, writes } of simpleCommands(line) ?? []) {
    if (oneLeads(args) || oneLeads(reads) || oneLeads(writes)) return true
    // Whether a `cd` succeeds is not known, so the folders before it count too.
    const entered =
      name === 'cd' && args[0] ? resolvePath(files, folders.at(-1) ?? '/', args[0].text) : undefined
    if (entered !== undefined && folders.length < MAX_FOLDERS) folders.push(entered)
  }
  return false

  function oneLeads(words: readonly ShellWord[]): boolean {
    for (const word of words) if (wordLeads(word)) return true
    return false
  }

  /** As a whole, as the value of `--option=value` and `-Ivalue`, and by the names that a pattern matches. */
  function wordLeads({ text, pattern }: ShellWord): boolean {
    if (leads(text)) return true
    const equals = text.indexOf('=')
    if (equals >= 0 && leads(text.slice(equals + 1))) return true
    if (text.startsWith('-') && leads(text.replace(/^-+\w/, ''))) return true
    return pattern && folders.some((folder) => expandPattern(files, folder, text)?.some(leads))
  }
}

const MAX_FOLDERS = 20
