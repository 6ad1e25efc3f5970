import { runsCommands } from '../../shell/command-tools.ts'
import { editsInPlace } from '../../shell/edits-in-place.ts'
import { isHarmless, type ShellContext } from '../../shell/harmless.ts'
import { isWithin } from '../../shell/path-bounds.ts'
import { mentionsFolder } from '../../shell/mentions-folder.ts'
import { namesFolder } from './names-folder.ts'
import { isHarmlessTool, isLeftToTheCli } from './harmless-tools.ts'
import type { AnsweringRule } from './answering-rule.ts'
import type { StoredVerdict } from '../../rules/verdict.ts'
import type { Supervision } from '../launch/start-options.ts'

export interface ToolCall {
  readonly toolName: string
  readonly input: unknown
  readonly toolUseId?: string | undefined
  /** The folder that the child's shell is in, if our hook received it. */
  readonly cwd?: string | undefined
  /** The current permission mode of the child. */
  readonly mode?: string | undefined
}

export interface HookPolicy {
  readonly supervise: Supervision
  /** Where the session works: its folders as real paths, and the disk. */
  readonly place: ShellContext
  /** The real path of the home folder. */
  readonly plexusHome: string
  /** Whether an older version gave the child a rule that could allow such a call: only a grant of today may. */
  readonly givenRule?: ((call: ToolCall) => boolean) | undefined
  /** The rule of the user or the start options that allows the call. */
  readonly ruleFor?: ((call: ToolCall) => AnsweringRule | undefined) | undefined
  /** The rules of Plexus. */
  readonly rules?: CallRules | undefined
  /** Tools of our own server that change nothing. */
  readonly ownReadOnly?: ReadonlySet<string> | undefined
}

/** What the rules of Plexus say of a call; undefined where no rule decides. */
interface CallRules {
  /** What nothing overrides. An `ask` here: the call could be forbidden, which is only known when it runs. */
  readonly forbidden: (call: ToolCall) => StoredVerdict | undefined
  /** What the other rules say. */
  readonly decided: (call: ToolCall) => StoredVerdict | undefined
}

/**
 * The answer of our hook to a tool call. With `none` the CLI's own rules decide; with `ask` the call must be asked about;
 * with `deny` it is refused. An `ask` also overrides the user's rules, so it has the rule that answers the question.
 */
export interface Opinion {
  readonly opinion: 'none' | 'ask' | 'deny'
  /** The rule that answers the question about the call, if one is asked. */
  readonly rule?: string | undefined
  readonly verdict?: StoredVerdict | undefined
}

/** In this order: what is forbidden, what could reach the home folder, the rules of Plexus and the grants, what `supervise` says. */
export function hookOpinion(policy: HookPolicy, call: ToolCall): Opinion {
  const forbidden = policy.rules?.forbidden(call)
  if (forbidden) return opinionBy(forbidden, call)
  if (isAlwaysAsked(policy, call)) return ASK
  const verdict = policy.rules?.decided(call)
  if (!verdict) return opinionBySupervision(policy, call)
  if (verdict.effect !== 'allow') return opinionBy(verdict, call)
  // A yes of ours is never the hook's: the question is asked as always, and the desk answers it by the rule.
  const rule = verdict.text ?? ''
  const { opinion } = opinionBySupervision(
    { ...policy, ruleFor: () => ({ text: rule, isFlag: false }), givenRule: undefined },
    call,
  )
  // A grant may end before the question comes, so it is looked up again then.
  return verdict.drawer === 'granted' ? { opinion, verdict } : { opinion, rule, verdict }
}

/** A rule that asks also holds where the CLI would not ask; a mode that refuses what it would ask about refuses this too. */
function opinionBy(verdict: StoredVerdict, { mode }: ToolCall): Opinion {
  return { opinion: verdict.effect === 'ask' && mode !== 'dontAsk' ? 'ask' : 'deny', verdict }
}

function opinionBySupervision(policy: HookPolicy, call: ToolCall): Opinion {
  if (policy.givenRule?.(call) === true) return ASK
  if (policy.supervise === 'asked') return opinionByCli(policy, call)
  const readOnly = isHarmlessTool(call.toolName) || policy.ownReadOnly?.has(call.toolName) === true
  return policy.supervise === 'writes' && readOnly ? NO_OPINION : ASK
}

/** The CLI decides what it asks about; in addition whatever is not known to be harmless is asked about. */
function opinionByCli(policy: HookPolicy, call: ToolCall): Opinion {
  const { toolName, mode = 'default' } = call
  if (ASKS_NOTHING.has(mode)) return NO_OPINION
  if (runsCommands(toolName) ? isKnownCommand(policy, call) : isLeftToTheCli(toolName)) return NO_OPINION
  const rule = policy.ruleFor?.(call)
  // With `ask` an answerer would get the question, although this mode refuses whatever was not allowed beforehand.
  if (mode === 'dontAsk' && rule === undefined) return { opinion: 'deny' }
  // Our parser has read the line as the rule does, or stricter; so a question would only repeat what both know.
  return { opinion: rule?.isFlag ? 'none' : 'ask', rule: rule?.text }
}

/** Only for the tool whose language we can parse, and only if it waits for the command to end. */
function isKnownCommand({ place: base }: HookPolicy, { toolName, input, cwd, mode }: ToolCall): boolean {
  const line = toolName === 'Bash' ? commandOf(input) : undefined
  const place = placeIn(base, cwd)
  if (line === undefined || !place || runsInBackground(input)) return false
  return isHarmless(line, place) || (mode === 'acceptEdits' && editsInPlace(line, place))
}

/** No grant and no rule covers these: they are how a child could read the operator's token or write an answer to itself. */
export function isAlwaysAsked(
  policy: Pick<HookPolicy, 'plexusHome' | 'place'>,
  { toolName, input, cwd }: ToolCall,
): boolean {
  if (toolName === 'Skill') return mentionsFile(input)
  const { plexusHome, place: base } = policy
  if (toolName.startsWith('mcp__')) return namesFolder(input, plexusHome, base)
  if (!runsCommands(toolName)) return false
  // The deny rules for the home folder do not stop `grep -r` or a wildcard in a command.
  for (const folder of base.bounds.folders)
    if (isWithin(plexusHome, folder) || isWithin(folder, plexusHome)) return true
  const line = commandOf(input) ?? JSON.stringify(input) ?? ''
  return mentionsFolder(line, plexusHome, placeIn(base, cwd) ?? base)
}

/** The CLI reads any file that is named after an `@` in the arguments of a skill, past the deny rules and without a call. */
function mentionsFile(input: unknown): boolean {
  return (JSON.stringify(input) ?? '').includes('@')
}

/** The same context for a shell that is now in another folder; undefined if there is no such folder. */
function placeIn(place: ShellContext, cwd: string | undefined): ShellContext | undefined {
  if (cwd === undefined) return place
  const real = place.files.realPath(cwd)
  if (real === place.cwd) return place
  return real === undefined ? undefined : { ...place, cwd: real }
}

/** The command without the model's description of it. A call that asks to leave the sandbox is not just a command. */
export function commandOf(input: unknown): string | undefined {
  const { command, dangerouslyDisableSandbox } = fieldsOf(input)
  return typeof command === 'string' && dangerouslyDisableSandbox !== true ? command : undefined
}

/** The call would leave a process running. */
function runsInBackground(input: unknown): boolean {
  return fieldsOf(input)['run_in_background'] === true
}

/** What is no object has none. */
function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return Object(input)
}

export const NO_OPINION: Opinion = { opinion: 'none' }
const ASK: Opinion = { opinion: 'ask' }

/** Modes that need the scope `bypass`: the caller who chose them wants nothing to be asked. */
const ASKS_NOTHING: ReadonlySet<string> = new Set(['bypassPermissions', 'auto'])
