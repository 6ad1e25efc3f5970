import { type CommandPattern, commandPatternOf, literalStart } from './command-pattern.ts'
import { type Glob, globOf, isLiteral } from './glob.ts'
import type { Rule } from './rule.ts'
import { ruleText } from './rule-text.ts'

/** A rule that is ready to be compared with calls. */
export interface CompiledRule {
  readonly rule: Rule
  /** Its place in the list: the first rule that matches decides. */
  readonly index: number
  readonly text: string
  readonly patterns: readonly CommandPattern[]
  readonly tools: readonly Glob[]
  readonly hosts: readonly Glob[]
  readonly mcpTools: readonly Glob[]
  readonly expiresAt: number
}

/** A list of rules, in which those for a call are found without reading all. */
export interface RuleList {
  readonly rules: readonly CompiledRule[]
  /** Whether a rule that refuses or asks is about commands. */
  readonly narrowsCommands: boolean
  /** Rules about a command, by its program, and by its program and first word; those that name neither. */
  readonly byProgram: ReadonlyMap<string, readonly CompiledRule[]>
  readonly byProgramAlone: ReadonlyMap<string, readonly CompiledRule[]>
  readonly byTwoWords: ReadonlyMap<string, readonly CompiledRule[]>
  readonly byNoProgram: readonly CompiledRule[]
  /** Rules about a whole call, by the name of its tool; those that name none. */
  readonly byTool: ReadonlyMap<string, readonly CompiledRule[]>
  readonly byNoTool: readonly CompiledRule[]
}

export function compileRules(rules: readonly Rule[]): RuleList {
  const compiled = rules.map(compileRule)
  const [byProgram, byProgramAlone, byTwoWords, byTool] = [newIndex(), newIndex(), newIndex(), newIndex()]
  const [byNoProgram, byNoTool]: CompiledRule[][] = [[], []]
  for (const one of compiled) {
    if (one.patterns.length === 0) {
      if (one.tools.length === 0 || !one.tools.every(isLiteral)) byNoTool?.push(one)
      else for (const [name = ''] of one.tools) add(byTool, name, one)
    }
    for (const pattern of one.patterns) {
      const [programs, seconds] = literalStart(pattern)
      if (!programs) byNoProgram?.push(one)
      for (const program of programs ?? []) {
        add(byProgram, program.toLowerCase(), one)
        if (!seconds) add(byProgramAlone, program.toLowerCase(), one)
        for (const second of seconds ?? []) add(byTwoWords, twoWords(program.toLowerCase(), second), one)
      }
    }
  }
  const narrowsCommands = compiled.some(
    ({ rule, patterns }) => rule.effect !== 'allow' && patterns.length > 0,
  )
  return {
    rules: compiled,
    narrowsCommands,
    byProgram,
    byProgramAlone,
    byTwoWords,
    byNoProgram: byNoProgram ?? [],
    byTool,
    byNoTool: byNoTool ?? [],
  }
}

export function twoWords(program: string, second: string): string {
  return `${program}\n${second}`
}

function compileRule(rule: Rule, index: number): CompiledRule {
  return {
    rule,
    index,
    text: ruleText(rule),
    patterns: (rule.command ?? []).map((text) => commandPatternOf(text)),
    tools: (rule.tool ?? []).flatMap((text) => text.split('|').map((name) => globOf(name.trim()))),
    hosts: (rule.host ?? []).map((host) => globOf(host.toLowerCase())),
    mcpTools: (rule.mcp?.tool ?? ['*']).map(globOf),
    expiresAt: rule.expires === undefined ? Infinity : Date.parse(rule.expires),
  }
}

type Index = Map<string, CompiledRule[]>

function newIndex(): Index {
  return new Map()
}

function add(index: Index, key: string, rule: CompiledRule): void {
  const list = index.get(key)
  if (!list) index.set(key, [rule])
  else if (list.at(-1) !== rule) list.push(rule)
}
