import { basename } from 'node:path'

/** How a person starts this program: by its name if it was found by that, else by Node and its path, to be pasted into a shell. */
export function ownCommand(program: string): string {
  if (basename(program) === 'plexus') return 'plexus'
  return `node ${/^[\w./@+-]+$/.test(program) ? program : `'${program.replaceAll("'", String.raw`'\''`)}'`}`
}

/** What makes `plexus` this program in a shell. */
export function aliasLine(command: string): string {
  return `alias plexus="${command.replaceAll(/["$`\\]/g, String.raw`\$&`)}"`
}
