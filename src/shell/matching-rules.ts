import { everyCommand, isHarmlessCommand, type ShellContext } from './harmless.ts'
import { isGuardedPath } from './edits-in-place.ts'
import { optionsThatRun } from './options-that-run.ts'
import { isInBounds, resolvePath, wordInBounds } from './path-bounds.ts'
import { type SimpleCommand, simpleCommands } from './lines/simple-commands.ts'

/** Programs that remove or overwrite their operands: a rule for them only applies inside the session's folders. */
const REMOVES_FILES: ReadonlySet<string> = new Set(['rm', 'rmdir', 'unlink', 'shred', 'mv', 'dd', 'truncate'])

/**
 * The rules, in the CLI's syntax (`git diff *`, `npm test:*`, `make`), that together allow a command line: each command is
 * harmless or matches a rule. Undefined if a command is neither, and for every line that is more than simple commands.
 * Stricter than the CLI, never wider.
 */
export function matchingRules(
  line: string,
  rules: readonly string[],
  place: ShellContext,
): string[] | undefined {
  const commands = simpleCommands(line)
  if (!commands) return undefined
  const used = new Set<string>()
  const allowed = everyCommand(commands, place, (command, here) => {
    if (isHarmlessCommand(command, here)) return true
    const options = optionsThatRun(command, here)
    const rule = rules.find(
      (candidate) =>
        matches(candidate, textOf(command)) && options.every(({ option }) => candidate.includes(option)),
    )
    if (rule === undefined || !usesNoOtherFiles(command, here)) return false
    used.add(rule)
    return true
  })
  return allowed && used.size > 0 ? [...used] : undefined
}

/**
 * The shell reads no file out of bounds for the command and writes none, or none out of bounds if `writes` is `inside`; and a
 * program that removes files is given none out of bounds.
 */
export function usesNoOtherFiles(
  { name, args, reads, writes }: SimpleCommand,
  { files, bounds, cwd }: ShellContext,
  mayWrite: 'none' | 'inside' = 'none',
): boolean {
  if (reads.length + writes.length === 0 && !REMOVES_FILES.has(name)) return true
  const inBounds = (word: (typeof args)[number]) => wordInBounds(files, bounds, cwd, word)
  const written = writes.filter(({ text }) => text !== '/dev/null')
  if (mayWrite === 'none' ? written.length > 0 : !written.every(isOrdinary)) return false
  if (!reads.every((word) => word.text === '/dev/null' || inBounds(word))) return false
  return !REMOVES_FILES.has(name) || args.every(inBounds)

  function isOrdinary(word: (typeof args)[number]): boolean {
    const path = word.pattern ? undefined : resolvePath(files, cwd, word.text)
    return path !== undefined && isInBounds(bounds, path) && !isGuardedPath(path)
  }
}

function textOf({ name, args }: SimpleCommand): string {
  return [name, ...args.map(({ text }) => text)].join(' ')
}

/** `:*` and ` *` at the end stand for any further words or none, `*` elsewhere for any text. */
function matches(rule: string, text: string): boolean {
  const start = /^(.*?)(?: \*|:\*)$/s.exec(rule)?.[1]
  if (start !== undefined && !start.includes('*')) return text === start || text.startsWith(`${start} `)
  return matchesWildcard(rule.replace(/:\*$/, '*'), text)
}

/** The time grows with the lengths, not with the number of stars. */
function matchesWildcard(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  if (others.length === 0) return text === pattern
  if (!text.startsWith(first)) return false
  let position = first.length
  const last = others.pop() ?? ''
  for (const part of others) {
    const found = text.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return text.length - position >= last.length && text.endsWith(last)
}
