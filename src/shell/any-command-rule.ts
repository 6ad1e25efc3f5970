import { RUNS_COMMANDS } from './command-tools.ts'
import { commandStart } from './programs-that-run-programs.ts'

/**
 * Whether an allow rule leaves it open which program runs: a rule for a tool that runs commands must name it whole
 * before its first wildcard (`Bash(git diff *)`, `Bash(npm test:*)`), and it must not be one that runs others.
 */
export function couldAllowAnyCommand(rule: string): boolean {
  const [, tool = '', text] = /^([^(]*)(?:\((.*)\))?$/s.exec(rule.trim()) ?? ['', '*']
  if (!couldNameCommandTool(tool.trim().toLowerCase())) return false
  // Whether the CLI takes such a rule apart is its own business; nobody needs one.
  if (text === undefined || /[;&|<>`$\\\n\r(){}]/.test(text)) return true
  return commandStart(wholeWords(text)) === undefined
}

/** The words before the first wildcard that are whole: `git diff` of `git diff *`, nothing of `gi*`. */
function wholeWords(text: string): string[] {
  const plain = text.trim().replace(/:\*$/, ' *')
  const [start = '', ...rest] = plain.split('*')
  const whole = rest.length > 0 ? start.replace(/\S+$/, '') : start
  return whole.split(/\s+/).filter((word) => word !== '')
}

/** By its name, or by a wildcard in a name. */
function couldNameCommandTool(tool: string): boolean {
  const [start = '', ...rest] = tool.split('*')
  const names = [...RUNS_COMMANDS].map((name) => name.toLowerCase())
  return names.some((name) => (rest.length > 0 ? name.startsWith(start) : name === tool))
}
