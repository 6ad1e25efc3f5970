import type { ShellContext } from './harmless.ts'
import { resolvePath, isWithin } from './path-bounds.ts'
import { simpleCommands } from './simple-commands.ts'

/**
 * Whether a command line names something inside a folder: by its path, or by a word that leads there through links. A line
 * that is more than simple commands is only searched for the path.
 */
export function mentionsFolder(line: string, folder: string, { files, cwd }: ShellContext): boolean {
  if (line.includes(folder)) return true
  return (simpleCommands(line) ?? []).some(({ args, reads, writes }) =>
    [...args, ...reads, ...writes].some(({ text }) => {
      // Also checks the value of `--option=value` and `-Ivalue`.
      const values = new Set([text, text.slice(text.indexOf('=') + 1), text.replace(/^-+\w/, '')])
      return [...values].some((path) => {
        const end = resolvePath(files, cwd, path)
        return end !== undefined && isWithin(end, folder)
      })
    }),
  )
}
