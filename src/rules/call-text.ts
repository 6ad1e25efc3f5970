import { AppError } from '../base/errors.ts'
import { namesFiles, pathField, type RuleCall } from './rule-call.ts'

/** A call as a person writes it, such as `Bash(git push)`, `Read(src/a.ts)` or `mcp__server__tool`. Pure. */
export function callFrom(text: string, cwd: string): RuleCall {
  const [, toolName = '', subject = ''] = /^([^(]*)(?:\(([^]*)\))?$/.exec(text.trim()) ?? ['', text.trim()]
  return { toolName, input: inputOf(toolName, subject), cwd }
}

/** The same of what a person typed: a text that is no call is refused. */
export function callTyped(text: string, cwd: string): RuleCall {
  if (CALL.test(text.trim())) return callFrom(text, cwd)
  throw new AppError(
    'invalid_input',
    `"${text.trim().slice(0, MAX_SHOWN)}" is no call; give a tool and what it is called with, such as "Bash(git push)", "Read(src/a.ts)" or mcp__server__tool.`,
  )
}

/** Tools of Claude Code begin with a capital letter. A command is what Bash is asked about, so it must be there. */
const CALL = /^(?:Bash\([^]*\S[^]*\)|(?!Bash\b)[A-Z][A-Za-z]*(?:\([^]*\))?|mcp__[^\s()]+(?:\([^]*\))?)$/
const MAX_SHOWN = 80

function inputOf(toolName: string, subject: string): Record<string, string> {
  if (namesFiles(toolName)) return { [pathField(toolName)]: subject }
  if (toolName === 'WebFetch') return { url: subject.includes('://') ? subject : `https://${subject}` }
  return subject === '' ? {} : { command: subject }
}
