import { commandStart } from '../../shell/programs-that-run-programs.ts'
import { simpleCommands } from '../../shell/lines/simple-commands.ts'

/**
 * Rules by which a command like this needs no answer: one for each program in it, with a wildcard after the program and its
 * subcommand. Empty unless every word is literal, and if a program is one that runs others. Pure.
 */
export function suggestCommandRules(line: string): string[] {
  const commands = line.length > MAX_CHARACTERS ? [] : (simpleCommands(line) ?? [])
  const starts = commands.map(({ name, args, reads, writes }) => {
    const noFiles = reads.length === 0 && writes.every(({ text }) => text === '/dev/null')
    // The meaning of a path depends on the folder, and a rule has no folder.
    const fixed = noFiles && !name.includes('/') && !args.some(({ pattern }) => pattern)
    return fixed ? commandStart([name, args[0]?.text ?? '']) : undefined
  })
  const whole = starts.filter((start) => start !== undefined)
  return whole.length === starts.length ? [...new Set(whole.map((start) => `${start} *`))] : []
}

/** No rule is made from a command that is too long for a person to read. */
const MAX_CHARACTERS = 2_000
