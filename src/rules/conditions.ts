import { isAbsolute } from 'node:path'
import { isWithin, resolvePath } from '../shell/path-bounds.ts'
import type { CompiledRule } from './compiled-rules.ts'
import { isExactly } from './exact/exact-call.ts'
import { globMatches } from './paths/glob.ts'
import { folderOf, isAllowedIn, isOfPlexus, liesIn, lineNames } from './paths/rule-paths.ts'
import { searchesAbove } from './paths/search-above.ts'
import { type RuleCall, type RuleContext, type Subject, subjectOf } from './rule-call.ts'

/**
 * Whether a condition holds. `maybe`: that is not known, so a rule that refuses asks, and a rule that allows does nothing. `below`:
 * the same of a search of a folder, in which the rule's path lies.
 */
export type Holds = 'yes' | 'no' | 'maybe' | 'below'

/** Whether the conditions besides the command hold for a call. */
export type CallHolds = (compiled: CompiledRule) => Holds

/** A rule may be compared with several commands of a line; its other conditions are looked up once. */
export function holdsOnce(call: RuleCall, context: RuleContext): CallHolds {
  let known: Map<CompiledRule, Holds> | undefined
  return (compiled) => {
    if (compiled.commandOnly) return 'yes'
    const before = known?.get(compiled)
    if (before) return before
    const held = holdsForCall(compiled, call, context)
    known ??= new Map()
    known.set(compiled, held)
    return held
  }
}

/** The conditions that are the same for every command of a line: the tool, and where and for which session it is called. */
function holdsForCall(compiled: CompiledRule, call: RuleCall, context: RuleContext): Holds {
  const { rule, tools, expiresAt } = compiled
  if (context.now >= expiresAt) return 'no'
  if (rule.exact && (!isExactly(rule.exact, call) || reachesPlexus(call, context))) return 'no'
  if (rule.turn !== undefined && rule.turn !== context.turn) return 'no'
  if (tools.length > 0 && !tools.some((tool) => globMatches(tool, call.toolName))) return 'no'
  if (rule.mode && !rule.mode.includes(call.mode ?? 'default')) return 'no'
  if (rule.caller && !rule.caller.includes(context.caller)) return 'no'
  // What a session may not do, the sessions below it may not do either.
  const own = rule.effect === 'allow' ? context.sessions.slice(0, 1) : context.sessions
  if (rule.session && !names(rule.session, own)) return 'no'
  if (rule.tree && !names(rule.tree, context.sessions)) return 'no'
  return all([folderHolds(compiled, call, context), subjectHolds(compiled, call, context)])
}

function all(parts: readonly Holds[]): Holds {
  if (parts.includes('no')) return 'no'
  return parts.includes('maybe') ? 'maybe' : parts.includes('below') ? 'below' : 'yes'
}

function names(wanted: readonly string[], sessions: RuleContext['sessions']): boolean {
  return sessions.some(({ id, name }) => wanted.includes(id) || (name !== undefined && wanted.includes(name)))
}

function folderHolds({ rule }: CompiledRule, { cwd }: RuleCall, context: RuleContext): Holds {
  if (rule.folder === undefined) return 'yes'
  const real = cwd === undefined ? undefined : context.place.files.realPath(cwd)
  if (real === undefined) return 'maybe'
  return isWithin(real, folderOf(rule.folder, context)) ? 'yes' : 'no'
}

function subjectHolds(compiled: CompiledRule, call: RuleCall, context: RuleContext): Holds {
  const { rule, hosts, mcpTools } = compiled
  if (!rule.mcp && !rule.host && !rule.path) return 'yes'
  const subject = subjectOf(call)
  const parts: Holds[] = []
  if (rule.mcp) {
    const start = `mcp__${rule.mcp.server}__`
    const tool = call.toolName.startsWith(start) ? call.toolName.slice(start.length) : undefined
    parts.push(tool !== undefined && mcpTools.some((glob) => globMatches(glob, tool)) ? 'yes' : 'no')
  }
  if (rule.host) {
    const { host } = subject.kind === 'host' ? subject : { host: undefined }
    if (subject.kind !== 'host') parts.push('no')
    else if (host === undefined) parts.push('maybe')
    else parts.push(hosts.some((glob) => globMatches(glob, host)) ? 'yes' : 'no')
  }
  if (rule.path) {
    const held = rulePathHolds(compiled, subject, call, context)
    const mayBeAbove = held === 'no' && rule.effect !== 'allow'
    const isSearched = mayBeAbove && searchesAbove(rule.path, { ...call, subject }, context)
    parts.push(isSearched ? 'below' : held)
  }
  return all(parts)
}

function rulePathHolds(
  compiled: CompiledRule,
  subject: Subject,
  call: RuleCall,
  context: RuleContext,
): Holds {
  if (subject.kind === 'file') return pathHolds(compiled, subject.path, call, context)
  const { effect, path = [] } = compiled.rule
  if (subject.kind !== 'command' || effect === 'allow') return 'no'
  return path.some((wanted) => lineNames(subject.line, wanted, call.cwd, context)) ? 'yes' : 'no'
}

function pathHolds(
  { rule }: CompiledRule,
  path: string | undefined,
  call: RuleCall,
  context: RuleContext,
): Holds {
  const { place } = context
  if (path === undefined || (!isAbsolute(path) && call.cwd === undefined)) return 'maybe'
  const real = resolvePath(place.files, call.cwd ?? place.cwd, path)
  if (real === undefined) return 'maybe' // a link that leads nowhere yet
  const allows = rule.effect === 'allow'
  if (allows && isOfPlexus(real, context)) return 'no'
  const lies = allows ? isAllowedIn : liesIn
  return rule.path?.some((wanted) => lies(real, wanted, context)) === true ? 'yes' : 'no'
}

/** An exact call is compared by its text, and a link may lead elsewhere than when it was remembered. */
function reachesPlexus(call: RuleCall, context: RuleContext): boolean {
  const subject = subjectOf(call)
  if (subject.kind !== 'file' || subject.path === undefined) return false
  const { place } = context
  const real = resolvePath(place.files, call.cwd ?? place.cwd, subject.path)
  return real === undefined || isOfPlexus(real, context)
}
