import { type CommandPattern, commandPatternOf, literalStart } from './command-pattern.ts'
import { type Glob, globOf, isLiteral } from './paths/glob.ts'
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
  /** It has no condition but its command. */
  readonly commandOnly: boolean
}

/** Lists of rules that may be about a command, each in the order of the rules. */
export type Candidates = readonly (readonly CompiledRule[])[]

/** The rules about one program and those about any: all of them, those that name no first argument, and others by that argument. */
interface ProgramRules {
  readonly all: Candidates
  readonly alone: Candidates
  readonly bySecond: ReadonlyMap<string, Candidates>
}

/** A list of rules, in which those for a call are found without reading all. */
export interface RuleList {
  readonly rules: readonly CompiledRule[]
  /** Whether a rule that refuses or asks is about commands. */
  readonly narrowsCommands: boolean
  /** Whether a rule is about whole calls, and not about commands. */
  readonly hasWholeCalls: boolean
  /** Rules about a command, by the name of its program in lower case; those that name none. */
  readonly byProgram: ReadonlyMap<string, ProgramRules>
  readonly byNoProgram: Candidates
  /** Rules about a whole call, by the name of its tool; those that name none. */
  readonly byTool: ReadonlyMap<string, readonly CompiledRule[]>
  readonly byNoTool: readonly CompiledRule[]
}

export function compileRules(rules: readonly Rule[]): RuleList {
  const compiled = rules.map(compileRule)
  const growing = new Map<string, GrowingRules>()
  const byTool: Index = new Map()
  const byNoProgram: CompiledRule[] = []
  const byNoTool: CompiledRule[] = []
  for (const one of compiled) {
    if (one.patterns.length === 0) {
      if (one.tools.length === 0 || !one.tools.every(isLiteral)) byNoTool.push(one)
      else for (const [name = ''] of one.tools) add(byTool, name, one)
    }
    for (const pattern of one.patterns) {
      const [programs, seconds] = literalStart(pattern)
      if (!programs) addOnce(byNoProgram, one)
      for (const program of programs ?? []) {
        const about = rulesAbout(growing, program.toLowerCase())
        addOnce(about.all, one)
        if (!seconds) addOnce(about.alone, one)
        for (const second of seconds ?? []) add(about.bySecond, second, one)
      }
    }
  }
  const narrowsCommands = compiled.some(
    ({ rule, patterns }) => rule.effect !== 'allow' && patterns.length > 0,
  )
  const byProgram = new Map(Array.from(growing, ([name, about]) => [name, grown(about, byNoProgram)]))
  const hasWholeCalls = compiled.some(({ patterns }) => patterns.length === 0)
  return {
    rules: compiled,
    narrowsCommands,
    hasWholeCalls,
    byProgram,
    byNoProgram: listsOf(byNoProgram),
    byTool,
    byNoTool,
  }
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
    commandOnly: Object.entries(rule).every(
      ([field, value]) => value === undefined || NO_CONDITIONS.has(field),
    ),
  }
}

type Index = Map<string, CompiledRule[]>

interface GrowingRules {
  readonly all: CompiledRule[]
  readonly alone: CompiledRule[]
  readonly bySecond: Index
}

function rulesAbout(byProgram: Map<string, GrowingRules>, program: string): GrowingRules {
  const known = byProgram.get(program)
  if (known) return known
  const added = { all: [], alone: [], bySecond: new Map() }
  byProgram.set(program, added)
  return added
}

function add(index: Index, key: string, rule: CompiledRule): void {
  const list = index.get(key)
  if (list) addOnce(list, rule)
  else index.set(key, [rule])
}

/** Put together once and not for each call. */
function grown({ all, alone, bySecond }: GrowingRules, byNoProgram: readonly CompiledRule[]): ProgramRules {
  return {
    all: listsOf(all, byNoProgram),
    alone: listsOf(alone, byNoProgram),
    bySecond: new Map(Array.from(bySecond, ([second, own]) => [second, listsOf(alone, own, byNoProgram)])),
  }
}

function listsOf(...lists: Candidates): Candidates {
  return lists.filter(({ length }) => length > 0)
}

/** A rule with several patterns may be about the same words twice; rules are added in their order. */
function addOnce(list: CompiledRule[], rule: CompiledRule): void {
  if (list.at(-1) !== rule) list.push(rule)
}

/** A field that is not among these is a condition of its own, also one that is added later. */
const NO_CONDITIONS: ReadonlySet<string> = new Set([
  'id',
  'effect',
  'command',
  'redirect',
  'because',
  'examples',
  'answerers',
  'timeout',
])
