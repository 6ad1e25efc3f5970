import { namesFiles, pathField, type RuleCall } from './rule-call.ts'

/** A call as a person writes it, such as `Bash(git push)`, `Read(src/a.ts)` or `mcp__server__tool`. Pure. */
export function callFrom(text: string, cwd: string): RuleCall {
  const [, toolName = '', subject = ''] = /^([^(]*)(?:\(([^]*)\))?$/.exec(text.trim()) ?? ['', text.trim()]
  return { toolName, input: inputOf(toolName, subject), cwd }
}

function inputOf(toolName: string, subject: string): Record<string, string> {
  if (namesFiles(toolName)) return { [pathField(toolName)]: subject }
  if (toolName === 'WebFetch') return { url: subject.includes('://') ? subject : `https://${subject}` }
  return subject === '' ? {} : { command: subject }
}
