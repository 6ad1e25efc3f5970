import { couldNameCommandTool } from './command-tools.ts'
import { commandStart } from './programs-that-run-programs.ts'

/**
 * Whether an allow rule leaves open which program runs. A rule for a tool that runs commands must name the whole program
 * before its first wildcard (`Bash(git diff *)`, `Bash(npm test:*)`), and that program must not run other programs.
 */
export function couldAllowAnyCommand(rule: string): boolean {
  const [, tool = '', text] = /^([^(]*)(?:\((.*)\))?$/s.exec(rule.trim()) ?? ['', '*']
  if (!couldNameCommandTool(tool)) return false
  // It is not known how the CLI reads such a rule, and nobody needs one.
  if (text === undefined || /[;&|<>`$\\\n\r(){}]/.test(text)) return true
  return commandStart(wholeWords(text)) === undefined
}

/** The complete words before the first wildcard: `git diff` of `git diff *`, nothing of `gi*`. */
function wholeWords(text: string): string[] {
  const plain = text.trim().replace(/:\*$/, ' *')
  const [start = '', ...rest] = plain.split('*')
  const whole = rest.length > 0 ? start.replace(/\S+$/, '') : start
  return whole.split(/\s+/)
}
