import { everyCommand, isHarmlessCommand } from '../shell/harmless.ts'
import { parsedLine } from './read-commands.ts'
import type { SimpleCommand } from '../shell/simple-commands.ts'
import type { CompiledRule, RuleList } from './compiled-rules.ts'
import { holdsForCall } from './conditions.ts'
import { allowsCommand, type CallHolds, firstForCommand, type Match } from './match-command.ts'
import type { Rule } from './rule.ts'
import { type RuleCall, type RuleContext, subjectOf } from './rule-call.ts'
import { type Drawer, NO_VERDICT, strictest, type Verdict } from './verdict.ts'

/** The lists that a call is compared with. */
export interface RuleSet {
  readonly forbid: RuleList
  readonly rules: RuleList
}

/** What nothing overrides: an answer and a mode that asks about nothing included. */
export function decideForbidden(call: RuleCall, context: RuleContext, { forbid }: RuleSet): Verdict {
  return decideByList(call, context, forbid, 'forbid')
}

/**
 * What a list of rules says of a call; the first rule that matches decides. Each command of a line is compared by itself: one
 * that is refused or asked about decides for the line, and the line is allowed only if each of its commands is. Reads no disk
 * but by `place`.
 */
export function decideByList(call: RuleCall, context: RuleContext, list: RuleList, drawer: Drawer): Verdict {
  if (list.rules.length === 0) return NO_VERDICT
  const known = new Map<CompiledRule, ReturnType<CallHolds>>()
  const holds: CallHolds = (compiled) => {
    const before = known.get(compiled)
    if (before) return before
    const held = holdsForCall(compiled, call, context)
    known.set(compiled, held)
    return held
  }
  const whole = firstForWholeCall(list, call, holds)
  const subject = subjectOf(call)
  if (subject.kind !== 'command') return whole ? verdictOf(whole, drawer) : NO_VERDICT
  const { line, plain } = subject
  const read = line === undefined ? UNREADABLE : parsedLine(line)
  const mayAllow = plain && read.simple && drawer !== 'forbid'
  const allowed = mayAllow ? allowedCommands(read.simple, call, context, { list, holds }) : undefined
  const outer = read.commands.filter(({ inner }) => !inner)
  const matches = [
    ...outer.map((command, index) => {
      const match = earlier(list.narrowsCommands ? firstForCommand(list, command, holds) : undefined, whole)
      const by = allowed?.[index]
      return match && typeof by === 'object' && by.index < match.compiled.index ? undefined : match
    }),
    ...read.commands.filter(({ inner }) => inner).map((command) => firstForCommand(list, command, holds)),
    ...(outer.length === 0 ? [whole] : []),
  ]
  const narrowed = strictest(matches.flatMap((match) => (match ? [verdictOf(match, drawer)] : [])))
  if (narrowed.effect !== 'none') return narrowed
  if (list.narrowsCommands && !read.whole) return { effect: 'ask', drawer, because: NOT_READ }
  const used = allowed?.flatMap((by) => (typeof by === 'object' ? [by] : [])) ?? []
  return used.length > 0 && !allowed?.includes(undefined) ? allowedBy([...new Set(used)], drawer) : NO_VERDICT
}

/**
 * For each command the rule that allows it, `harmless`, or undefined; undefined as a whole if it is not certain in which
 * folder each of them runs.
 */
function allowedCommands(
  commands: readonly SimpleCommand[],
  { cwd }: RuleCall,
  context: RuleContext,
  { list, holds }: { list: RuleList; holds: CallHolds },
): (CompiledRule | 'harmless' | undefined)[] | undefined {
  const real = cwd === undefined ? context.place.cwd : context.place.files.realPath(cwd)
  if (real === undefined) return undefined
  const byCommand = new Map<SimpleCommand, CompiledRule | 'harmless' | undefined>()
  const isCertain = everyCommand(commands, { ...context.place, cwd: real }, (command, here) => {
    const isKnown = cwd !== undefined || !dependsOnFolder(command)
    const rule = isKnown ? allowsCommand(list, command, here, holds) : undefined
    const isHarmless = !rule && isKnown && context.harmlessIsAllowed && isHarmlessCommand(command, here)
    byCommand.set(command, rule ?? (isHarmless ? 'harmless' : undefined))
    return true
  })
  if (!isCertain || (cwd === undefined && commands.some(({ name }) => name === 'cd'))) return undefined
  // A `cd` that stays in the session's folders needs no rule.
  return commands.map((command) => (command.name === 'cd' ? 'harmless' : byCommand.get(command)))
}

/** Without the folder of the shell it is not known which file a path leads to. */
function dependsOnFolder({ name, reads, writes }: SimpleCommand): boolean {
  return name.includes('/') || reads.length > 0 || writes.some(({ text }) => text !== '/dev/null')
}

/** The first rule that is about the call and not about one of its commands. */
function firstForWholeCall(list: RuleList, { toolName }: RuleCall, holds: CallHolds): Match | undefined {
  let first: Match | undefined
  for (const candidates of [list.byTool.get(toolName) ?? [], list.byNoTool])
    for (const compiled of candidates) {
      if (first && first.compiled.index <= compiled.index) break
      const held = holds(compiled)
      if (held === 'no' || (held === 'maybe' && compiled.rule.effect === 'allow')) continue
      first = { compiled, sure: held === 'yes' }
    }
  return first
}

function earlier(a: Match | undefined, b: Match | undefined): Match | undefined {
  return a && b ? (a.compiled.index <= b.compiled.index ? a : b) : (a ?? b)
}

function verdictOf({ compiled: { rule, text }, sure }: Match, drawer: Drawer): Verdict {
  const { id: ruleId, effect, because } = rule
  if (effect === 'ask') return { effect, drawer, ruleId, text, because, ...demandsOf(rule) }
  if (sure || effect === 'allow') return { effect, drawer, ruleId, text, because }
  return { effect: 'ask', drawer, ruleId, text, because: COULD_MATCH }
}

/** What a rule that asks says of the answer. */
function demandsOf({ answerers, timeout }: Rule): Pick<Verdict, 'answerers' | 'timeoutMs'> {
  return {
    ...(answerers ? { answerers: [answerers] } : {}),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
  }
}

function allowedBy(used: readonly CompiledRule[], drawer: Drawer): Verdict {
  return {
    effect: 'allow',
    drawer,
    ruleId: used.map(({ rule }) => rule.id).join(', '),
    text: used.map(({ text }) => text).join('; '),
    because: used.flatMap(({ rule }) => rule.because ?? []).join(' ') || undefined,
  }
}

const UNREADABLE = { commands: [], whole: false, simple: undefined } as const
const NOT_READ = 'The command cannot be read in advance, and a rule refuses or asks about some commands.'
const COULD_MATCH = 'The call could be one that this rule is about; that is only known when it runs.'
