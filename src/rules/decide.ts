import { everyCommand, isHarmlessCommand } from '../shell/harmless.ts'
import { parsedLine, type ReadCommand } from './read-commands.ts'
import type { SimpleCommand } from '../shell/simple-commands.ts'
import type { CompiledRule, RuleList } from './compiled-rules.ts'
import { holdsForCall } from './conditions.ts'
import { allowsCommand, type CallHolds, firstForCommand, type Match } from './match-command.ts'
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
  let known: Map<CompiledRule, ReturnType<CallHolds>> | undefined
  const holds: CallHolds = (compiled) => {
    const before = known?.get(compiled)
    if (before) return before
    const held = holdsForCall(compiled, call, context)
    known ??= new Map()
    known.set(compiled, held)
    return held
  }
  const whole = list.hasWholeCalls ? firstForWholeCall(list, call, holds) : undefined
  const subject = subjectOf(call)
  if (subject.kind !== 'command') return whole ? verdictOf(whole, drawer) : NO_VERDICT
  const { line, plain } = subject
  const read = line === undefined ? UNREADABLE : parsedLine(line)
  const mayAllow = plain && read.simple && drawer !== 'forbid'
  const allowed = mayAllow ? allowedCommands(read.simple, call, context, { list, holds }) : undefined
  const narrowed = strictest(narrowingVerdicts(read.commands, { list, drawer, holds, whole, allowed }))
  if (narrowed.effect !== 'none') return narrowed
  if (list.narrowsCommands && !read.whole) return { effect: 'ask', drawer, because: NOT_READ }
  return allowed ? verdictOfAllowed(allowed, drawer) : NO_VERDICT
}

/** What the rules that refuse or ask say of each command of a line; a rule that allows a command hides those after it. */
function narrowingVerdicts(
  commands: readonly ReadCommand[],
  { list, drawer, holds, whole, allowed }: Narrowing,
): Verdict[] {
  const verdicts: Verdict[] = []
  let outer = 0
  for (const command of commands) {
    const own = list.narrowsCommands ? firstForCommand(list, command, holds) : undefined
    const match = command.inner ? own : earlier(own, whole)
    const by = command.inner ? undefined : allowed?.[outer]
    if (!command.inner) outer += 1
    if (!match || (typeof by === 'object' && by.index < match.compiled.index)) continue
    verdicts.push(verdictOf(match, drawer))
  }
  if (outer === 0 && whole) verdicts.push(verdictOf(whole, drawer))
  return verdicts
}

interface Narrowing {
  readonly list: RuleList
  readonly drawer: Drawer
  readonly holds: CallHolds
  /** The rule about the whole call. */
  readonly whole: Match | undefined
  readonly allowed: readonly (CompiledRule | 'harmless' | undefined)[] | undefined
}

/** A line is allowed if each of its commands is, and one of them by a rule. */
function verdictOfAllowed(
  allowed: readonly (CompiledRule | 'harmless' | undefined)[],
  drawer: Drawer,
): Verdict {
  const used: CompiledRule[] = []
  for (const by of allowed) {
    if (by === undefined) return NO_VERDICT
    if (by !== 'harmless' && !used.includes(by)) used.push(by)
  }
  return used.length > 0 ? allowedBy(used, drawer) : NO_VERDICT
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
  const { place } = context
  const here = real === place.cwd ? place : { ...place, cwd: real }
  const found: (CompiledRule | 'harmless' | undefined)[] = []
  const isCertain = everyCommand(commands, here, (command, inFolder) => {
    const isKnown = cwd !== undefined || !dependsOnFolder(command)
    const rule = isKnown ? allowsCommand(list, command, inFolder, holds) : undefined
    const isHarmless = !rule && isKnown && context.harmlessIsAllowed && isHarmlessCommand(command, inFolder)
    found.push(rule ?? (isHarmless ? 'harmless' : undefined))
    return true
  })
  if (!isCertain || (cwd === undefined && commands.some(({ name }) => name === 'cd'))) return undefined
  // A `cd` that stays in the session's folders needs no rule, and was not compared with any.
  if (found.length === commands.length) return found
  let next = 0
  return commands.map(({ name }) => (name === 'cd' ? 'harmless' : found[next++]))
}

/** Without the folder of the shell it is not known which file a path leads to. */
function dependsOnFolder({ name, reads, writes }: SimpleCommand): boolean {
  return name.includes('/') || reads.length > 0 || writes.some(({ text }) => text !== '/dev/null')
}

/** The first rule that is about the call and not about one of its commands. */
function firstForWholeCall(list: RuleList, { toolName }: RuleCall, holds: CallHolds): Match | undefined {
  let first: Match | undefined
  for (const candidates of [list.byTool.get(toolName), list.byNoTool])
    for (const compiled of candidates ?? []) {
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
  if (sure || effect === 'ask' || effect === 'allow') return { effect, drawer, ruleId, text, because }
  return { effect: 'ask', drawer, ruleId, text, because: COULD_MATCH }
}

function allowedBy(used: readonly CompiledRule[], drawer: Drawer): Verdict {
  const [only] = used
  if (only && used.length === 1) return verdictOf({ compiled: only, sure: true }, drawer)
  return {
    effect: 'allow',
    drawer,
    ruleId: [...new Set(used.map(({ rule }) => rule.id))].join(', '),
    text: used.map(({ text }) => text).join('; '),
    because: used.flatMap(({ rule }) => rule.because ?? []).join(' ') || undefined,
  }
}

const UNREADABLE = { commands: [], whole: false, simple: undefined } as const
const NOT_READ = 'The command cannot be read in advance, and a rule refuses or asks about some commands.'
const COULD_MATCH = 'The call could be one that this rule is about; that is only known when it runs.'
