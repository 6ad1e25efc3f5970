import { couldNameCommandTool } from '../shell/command-tools.ts'
import { commandStart } from '../shell/programs-that-run-programs.ts'
import { commandPatternOf, fixedWords, hasWildcard } from './command-pattern.ts'
import type { Rule } from './rule.ts'
import { namesFiles } from './rule-call.ts'

/** Why a rule cannot be used, as the end of a sentence; undefined if it can. Pure. */
export function problemOf(rule: Rule): string | undefined {
  const { effect, tool, command, path, host, mcp, because, redirect } = rule
  if (!tool && !command && !path && !host && !mcp) return 'says neither tool, command, path, host nor mcp'
  if ((effect === 'deny' || effect === 'forbid') && because === undefined)
    return 'needs because, which the model reads'
  if (command && tool && !namesOf(tool).every(couldNameCommandTool))
    return 'has command, so its tool must be one that runs commands, such as Bash'
  if (redirect !== undefined && (effect !== 'allow' || !command))
    return 'has redirect, which only a command that it allows can have'
  if (effect !== 'ask' && rule.answerers) return 'has answerers, which only a rule that asks can have'
  if (effect !== 'ask' && rule.timeout !== undefined)
    return 'has timeout, which only a rule that asks can have'
  return effect === 'allow' ? problemOfAllow(rule) : undefined
}

/** A rule that allows must name what it allows: a tool or a program that nobody has thought of is asked about. */
function problemOfAllow({ tool, command, path, host, mcp }: Rule): string | undefined {
  const tools = namesOf(tool ?? [])
  const wide = tools.find((name) => name.includes('*'))
  if (wide !== undefined) return `allows tools by a wildcard (${wide}); name each tool`
  const answered = tools.find((name) => ASKS_A_PERSON.has(name))
  if (answered !== undefined) return `allows ${answered}, which asks for an answer of its own`
  for (const text of command ?? []) {
    const problem = problemOfPattern(text)
    if (problem !== undefined) return problem
  }
  if (command) return undefined
  if (mcp) return mcp.server.includes('*') ? 'allows servers by a wildcard; name each server' : undefined
  const runner = tools.find(couldNameCommandTool)
  if (runner !== undefined) return `allows ${runner} without command, and so any command`
  if (tools.length === 0) return host ? 'needs tool, such as WebFetch' : 'needs tool, such as Read or Write'
  const file = tools.find(namesFiles)
  return file !== undefined && !path
    ? `allows ${file} everywhere; give path, such as "." for the folder of the session`
    : undefined
}

function problemOfPattern(text: string): string | undefined {
  const pattern = commandPatternOf(text)
  const [programs = [], seconds = ['']] = fixedWords(pattern)
  if (programs.length === 0) return `allows a command without its program (${text}); name the program`
  if (!hasWildcard(pattern)) return undefined
  const open = programs.find((program) =>
    seconds.some((second) => commandStart([program, second]) === undefined),
  )
  return open === undefined
    ? undefined
    : `could allow any command, because ${open} runs other programs (${text}); give the whole command without a wildcard`
}

function namesOf(tools: readonly string[]): string[] {
  return tools.flatMap((text) => text.split('|').map((name) => name.trim()))
}

const ASKS_A_PERSON: ReadonlySet<string> = new Set(['ExitPlanMode', 'AskUserQuestion'])
