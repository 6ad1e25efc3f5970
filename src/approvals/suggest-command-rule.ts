import { commandStart } from '../shell/programs-that-run-programs.ts'
import { simpleCommands } from '../shell/simple-commands.ts'

/**
 * Rules by which a command like this one needs no answer: one for each program in it, open behind the program and its
 * sub-command. Only where every word says itself what it is; none where the program is one that runs others. Pure.
 */
export function suggestCommandRules(line: string): string[] {
  const commands = line.length > MAX_CHARACTERS ? [] : (simpleCommands(line) ?? [])
  const starts = commands.map(({ name, args, reads, writes }) => {
    const noFiles = reads.length === 0 && writes.every(({ text }) => text === '/dev/null')
    // What a path means depends on the folder, and a rule knows none.
    const fixed = noFiles && !name.includes('/') && !args.some(({ pattern }) => pattern)
    return fixed ? commandStart([name, args[0]?.text ?? '']) : undefined
  })
  const whole = starts.filter((start) => start !== undefined)
  return whole.length === starts.length ? [...new Set(whole.map((start) => `${start} *`))] : []
}

/** A command that nobody reads to its end is none to make a rule of. */
const MAX_CHARACTERS = 2_000
