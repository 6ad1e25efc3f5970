import { basename } from 'node:path'

/** How a person starts this program: by its name if it was found by that, else by Node and its path. */
export function ownCommand(program: string): string {
  return basename(program) === 'plexus' ? 'plexus' : `node ${shellWord(program)}`
}

/** What makes `plexus` this program in a shell. */
export function aliasLine(command: string): string {
  return `alias plexus="${command.replaceAll(/["$`\\]/g, String.raw`\$&`)}"`
}

/** A text as one word of a shell, to be pasted. */
export function shellWord(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
