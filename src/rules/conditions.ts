import { isAbsolute, join } from 'node:path'
import { isGuardedPath } from '../shell/edits-in-place.ts'
import { namesPath } from '../shell/mentions-folder.ts'
import { isWithin, resolvePath } from '../shell/path-bounds.ts'
import type { CompiledRule } from './compiled-rules.ts'
import { isExactly } from './exact/exact-call.ts'
import { globMatches, globOf } from './glob.ts'
import { type RuleCall, type RuleContext, subjectOf } from './rule-call.ts'
import { foldersSearchedBy } from './search-above.ts'

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
    const held =
      subject.kind === 'file'
        ? pathHolds(compiled, subject.path, call, context)
        : subject.kind === 'command' && rule.effect !== 'allow'
          ? rule.path.some((path) => lineNames(subject.line, path, call, context))
            ? 'yes'
            : 'no'
          : 'no'
    const isSearched = held === 'no' && rule.effect !== 'allow' && searchesAbove(rule.path, call, context)
    parts.push(isSearched ? 'below' : held)
  }
  return all(parts)
}

/** Whether the call searches a folder in which one of these paths lies, or could lie if it has a wildcard. */
function searchesAbove(paths: readonly string[], call: RuleCall, context: RuleContext): boolean {
  const searched = foldersSearchedBy(call, context)
  if (searched.length === 0) return false
  return paths.some((path) => {
    const star = path.includes('*')
    const full = star ? beforeStar(absolute(path, context)) : folderOf(path, context)
    if (!star && !context.place.files.hasEntry(full)) return false
    return searched.some((folder) => isWithin(full, folder) || (star && isWithin(folder, full)))
  })
}

/** The folder that a path with a wildcard names before it. */
function beforeStar(full: string): string {
  return full.slice(0, Math.max(full.lastIndexOf('/', full.indexOf('*')), 0)) || '/'
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

function liesIn(real: string, wanted: string, context: RuleContext): boolean {
  if (wanted.includes('*')) return globMatches(globOf(absolute(wanted, context)), real)
  return isWithin(real, folderOf(wanted, context))
}

/**
 * The same for a rule that allows, which covers no guarded name that it does not say. In the session's folders its path counts
 * as it is written: a link there may be of the repository or of the child, and lead anywhere.
 */
function isAllowedIn(real: string, wanted: string, context: RuleContext): boolean {
  const full = absolute(wanted, context)
  if (wanted.includes('*')) {
    const said = full.slice(0, full.lastIndexOf('/', full.indexOf('*')) + 1)
    return globMatches(globOf(full), real) && !isGuardedPath(real.slice(said.length))
  }
  const folder = writtenFolder(full, context)
  return isWithin(real, folder) && !isGuardedPath(real.slice(folder.length))
}

/** Links are followed up to the session's folders, and none in them. */
function writtenFolder(full: string, { place: { files, bounds } }: RuleContext): string {
  let current = '/'
  for (const name of full.split('/').filter((part) => part !== '')) {
    const next = join(current, name)
    const isOwn = bounds.folders.some((folder) => isWithin(next, folder))
    current = isOwn ? next : (files.realPath(next) ?? next)
  }
  return current
}

/** No rule allows a look at the files of Plexus, or at a folder that holds them. */
function isOfPlexus(real: string, { place }: RuleContext): boolean {
  return place.bounds.except.some((home) => isWithin(real, home) || isWithin(home, real))
}

/** An exact call is compared by its text, and a link may lead elsewhere than when it was remembered. */
function reachesPlexus(call: RuleCall, context: RuleContext): boolean {
  const subject = subjectOf(call)
  if (subject.kind !== 'file' || subject.path === undefined) return false
  const { place } = context
  const real = resolvePath(place.files, call.cwd ?? place.cwd, subject.path)
  return real === undefined || isOfPlexus(real, context)
}

/** Whether a command line names something inside the folder, in any of the ways that a path is written. */
function lineNames(line: string | undefined, path: string, { cwd }: RuleCall, context: RuleContext): boolean {
  if (line === undefined) return true
  const { place } = context
  const here = (cwd === undefined ? undefined : place.files.realPath(cwd)) ?? place.cwd
  if (namesPath(line, { ...place, cwd: here }, (real) => liesIn(real, path, context))) return true
  if (path.includes('*')) return false
  const folder = folderOf(path, context)
  const { userHome } = context
  const below =
    userHome !== undefined && isWithin(folder, userHome) ? folder.slice(userHome.length) : undefined
  const spellings = below === undefined ? [] : ['~', '$HOME', '${HOME}'].map((home) => `${home}${below}`)
  return spellings.some((text) => line.includes(text)) || line.includes(folder)
}

/** The real path of a folder that a rule names. */
function folderOf(path: string, context: RuleContext): string {
  const full = absolute(path, context)
  return context.place.files.realPath(full) ?? full
}

function absolute(path: string, { place, userHome = '/' }: RuleContext): string {
  if (path === '~' || path.startsWith('~/')) return join(userHome, path.slice(1))
  if (isAbsolute(path) || path.startsWith('*')) return path.length > 1 ? path.replace(/\/+$/, '') : path
  return join(place.bounds.folders[0] ?? place.cwd, path)
}
