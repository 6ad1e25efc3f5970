import { type AllowedBy, allowedCommands, rulesThatAllow } from './allowed-commands.ts'
import type { CompiledRule, RuleList } from './compiled-rules.ts'
import { type CallHolds, holdsOnce } from './conditions.ts'
import type { ReadCommand } from './lines/found-commands.ts'
import { parsedLine } from './lines/read-commands.ts'
import { firstForCommand, isAboutOne, type Match } from './match-command.ts'
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
  const holds = holdsOnce(call, context)
  const whole = list.hasWholeCalls ? firstForWholeCall(list, call, holds) : undefined
  const subject = subjectOf(call)
  if (subject.kind !== 'command') return whole ? verdictOf(whole, drawer) : NO_VERDICT
  const { line, plain } = subject
  const read = line === undefined ? UNREADABLE : parsedLine(line)
  const { simple, commands } = read
  const mayAllow = plain && simple && drawer !== 'forbid' && isAboutOne(list, commands)
  const allowed = mayAllow ? allowedCommands({ simple, commands }, call, context, { list, holds }) : undefined
  if (list.narrowsCommands || whole) {
    const narrowed = strictest(narrowingVerdicts(commands, { list, drawer, holds, whole, allowed }))
    if (narrowed.effect !== 'none') return narrowed
  }
  if (list.narrowsCommands && !read.whole) return { effect: 'ask', drawer, because: NOT_READ }
  return allowed ? allowedBy(rulesThatAllow(allowed), drawer) : NO_VERDICT
}

/** What the rules that refuse or ask say of each command of a line; a rule that allows a command hides those after it. */
function narrowingVerdicts(
  commands: readonly ReadCommand[],
  { list, drawer, holds, whole, allowed }: Narrowing,
): readonly Verdict[] {
  let verdicts: Verdict[] | undefined
  let outer = 0
  for (const command of commands) {
    const own = list.narrowsCommands ? firstForCommand(list, command, holds) : undefined
    const match = command.inner ? own : earlier(own, whole)
    const by = command.inner ? undefined : allowed?.[outer]
    if (!command.inner) outer += 1
    if (!match || (typeof by === 'object' && by.index < match.compiled.index)) continue
    ;(verdicts ??= []).push(verdictOf(match, drawer))
  }
  if (outer === 0 && whole) (verdicts ??= []).push(verdictOf(whole, drawer))
  return verdicts ?? NO_VERDICTS
}

interface Narrowing {
  readonly list: RuleList
  readonly drawer: Drawer
  readonly holds: CallHolds
  /** The rule about the whole call. */
  readonly whole: Match | undefined
  readonly allowed: readonly AllowedBy[] | undefined
}

/** The first rule that is about the call and not about one of its commands. */
function firstForWholeCall(list: RuleList, { toolName }: RuleCall, holds: CallHolds): Match | undefined {
  let first: Match | undefined
  for (const candidates of [list.byTool.get(toolName), list.byNoTool])
    for (const compiled of candidates ?? []) {
      if (first && first.compiled.index <= compiled.index) break
      const held = holds(compiled)
      if (held === 'no' || (held === 'maybe' && compiled.rule.effect === 'allow')) continue
      first = { compiled, sure: held === 'yes', below: held === 'below' }
    }
  return first
}

function earlier(a: Match | undefined, b: Match | undefined): Match | undefined {
  return a && b ? (a.compiled.index <= b.compiled.index ? a : b) : (a ?? b)
}

function verdictOf({ compiled: { rule, text }, sure, below }: Match, drawer: Drawer): Verdict {
  const { id: ruleId, effect, because } = rule
  if (effect === 'ask') return { effect, drawer, ruleId, text, because, ...demandsOf(rule) }
  if (sure || effect === 'allow') return { effect, drawer, ruleId, text, because }
  return { effect: 'ask', drawer, ruleId, text, because: below ? SEARCHES_ABOVE : COULD_MATCH }
}

/** What a rule that asks says of the answer. */
function demandsOf({ answerers, timeout }: Rule): Pick<Verdict, 'answerers' | 'timeoutMs'> {
  return {
    ...(answerers ? { answerers: [answerers] } : {}),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1_000 }),
  }
}

function allowedBy(used: readonly CompiledRule[], drawer: Drawer): Verdict {
  const [only, second] = used
  if (!only) return NO_VERDICT
  if (!second) return verdictOf({ compiled: only, sure: true }, drawer)
  let [ids, texts, becauses] = ['', '', '']
  for (const { rule, text } of used) {
    const isNew = used.find(({ rule: { id } }) => id === rule.id)?.rule === rule
    if (isNew) ids += ids === '' ? rule.id : `, ${rule.id}`
    texts += texts === '' ? text : `; ${text}`
    if (rule.because !== undefined) becauses += becauses === '' ? rule.because : ` ${rule.because}`
  }
  return { effect: 'allow', drawer, ruleId: ids, text: texts, because: becauses || undefined }
}

const NO_VERDICTS: readonly Verdict[] = []
const UNREADABLE = { commands: [], whole: false, simple: undefined } as const
const NOT_READ = 'The command cannot be read in advance, and a rule refuses or asks about some commands.'
const SEARCHES_ABOVE = 'The call reaches all that lies in a folder, and what this rule is about lies in it.'
const COULD_MATCH = 'The call could be one that this rule is about; that is only known when it runs.'
