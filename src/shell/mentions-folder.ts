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
  for (const { name, args, reads, writes } of simpleCommands(line) ?? []) {
    for (const words of [args, reads, writes])
      for (const word of words)
        for (const path of pathsIn(word, folders, files))
          for (const folder of folders) {
            const end = resolvePath(files, folder, path)
            if (end !== undefined && isSought(end)) return true
          }
    // Whether a `cd` succeeds is not known, so the folders before it count too.
    const entered =
      name === 'cd' && args[0] ? resolvePath(files, folders.at(-1) ?? '/', args[0].text) : undefined
    if (entered !== undefined && folders.length < MAX_FOLDERS) folders.push(entered)
  }
  return false
}

/** The paths that a word may be: as a whole, as the value of `--option=value` and `-Ivalue`, and the names that a pattern matches. */
function pathsIn(
  { text, pattern }: ShellWord,
  folders: readonly string[],
  files: ShellContext['files'],
): string[] {
  const equals = text.indexOf('=')
  return [
    text,
    ...(equals >= 0 ? [text.slice(equals + 1)] : []),
    ...(text.startsWith('-') ? [text.replace(/^-+\w/, '')] : []),
    ...(pattern ? folders.flatMap((folder) => expandPattern(files, folder, text) ?? []) : []),
  ]
}

const MAX_FOLDERS = 20
