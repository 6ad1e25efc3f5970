import type { ShellContext } from './harmless.ts'
import { resolvePath, isWithin } from './path-bounds.ts'
import { simpleCommands } from './lines/simple-commands.ts'

/**
 * Whether a command line names something inside a folder: by its path, or by a word that leads there through links. A line
 * that is more than simple commands is only searched for the path.
 */
export function mentionsFolder(line: string, folder: string, { files, cwd }: ShellContext): boolean {
  if (line.includes(folder)) return true
  for (const { args, reads, writes } of simpleCommands(line) ?? [])
    for (const words of [args, reads, writes])
      for (const { text } of words) {
        const leadsThere = (path: string) => {
          const end = resolvePath(files, cwd, path)
          return end !== undefined && isWithin(end, folder)
        }
        if (leadsThere(text)) return true
        // Also checks the value of `--option=value` and `-Ivalue`.
        const equals = text.indexOf('=')
        if (equals >= 0 && leadsThere(text.slice(equals + 1))) return true
        if (text.startsWith('-') && leadsThere(text.replace(/^-+\w/, ''))) return true
      }
  return false
}
