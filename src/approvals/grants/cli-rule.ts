import { problemOf } from '../../rules/check-rule.ts'
import type { Rule } from '../../rules/rule.ts'
import { CHANGING_TOOLS } from '../../shell/file-tools.ts'

/** A rule as the CLI suggests it, such as `Bash(git push *)`. */
export interface CliRule {
  readonly toolName: string
  readonly ruleContent?: string | undefined
}

/** What a rule of Plexus is about. */
export type RuleSubject = Pick<Rule, 'tool' | 'command' | 'path' | 'host'>

/** What a rule of Plexus is about that means the same as this one, or less; undefined if there is none that may allow. Pure. */
export function subjectOfCliRule({ toolName, ruleContent }: CliRule): RuleSubject | undefined {
  const subject = ruleContent === undefined ? { tool: [toolName] } : withContent(toolName, ruleContent)
  if (!subject) return undefined
  return problemOf({ id: 'suggested', effect: 'allow', ...subject }) === undefined ? subject : undefined
}

function withContent(toolName: string, content: string): RuleSubject | undefined {
  if (toolName === 'Bash') return { tool: ['Bash'], command: [content.replace(/:\*$/, ' *')] }
  const [, host] = /^domain:([\w.*-]+)$/.exec(content) ?? []
  if (toolName === 'WebFetch') return host === undefined ? undefined : { tool: ['WebFetch'], host: [host] }
  const tools = FILE_TOOLS.get(toolName)
  const [, start = '', path] = /^(\/\/|~\/)([^*?[\]]+)\/\*\*$/.exec(content) ?? []
  if (tools === undefined || path === undefined) return undefined
  return { tool: [tools], path: [`${start === '//' ? '/' : start}${path}`] }
}

/** The same rule as the CLI writes it: this is how a suggestion is shown. Pure. */
export function cliRuleText({ tool: [tools = ''] = [], command, path, host }: RuleSubject): string {
  const [name = ''] = tools.split('|', 1)
  if (command) return `${name}(${command.join(', ')})`
  if (host) return `${name}(domain:${host.join(', ')})`
  if (path) return `${name}(${path.map((one) => `${one.startsWith('/') ? '/' : ''}${one}/**`).join(', ')})`
  return tools
}

/** A rule of the CLI for one tool that reads (or edits) files is for all that do. */
const FILE_TOOLS: ReadonlyMap<string, string> = new Map([
  ['Read', 'Read|Glob|Grep|LS'],
  ['Edit', CHANGING_TOOLS.join('|')],
])
