import { ownToolName } from '../../child/launch/mcp-servers.ts'
import type { PriorDecision, LineContext } from '../../child/lines/request-to-events.ts'
import { answeringRule, FLAG_ORIGIN } from '../../child/policy/answering-rule.ts'
import {
  type HookPolicy,
  hookOpinion,
  isAlwaysAsked,
  type ToolCall,
} from '../../child/policy/hook-opinion.ts'
import { settingsRules } from '../../child/policy/settings-rules.ts'
import type { StoredVerdict } from '../../rules/verdict.ts'
import { diskFiles } from '../../shell/disk-files.ts'
import type { ShellContext } from '../../shell/harmless.ts'
import type { HubEnvironment } from '../launch/hub-environment.ts'
import type { Session } from '../record/session.ts'
import type { SessionState } from '../record/session-state.ts'
import type { SessionGrants } from '../in-advance/session-grants.ts'
import type { SessionRepeats } from '../in-advance/session-repeats.ts'
import type { SessionRules } from '../in-advance/session-rules.ts'

/** How the lines of a session's child are read, and which of its calls may be granted. */
export interface RunContext extends LineContext {
  /** Whether such a call may be allowed for the rest of the session. */
  readonly grantable: (call: ToolCall) => boolean
  /** The decision that a rule or a grant gives in advance, for a question that is about to be opened. */
  readonly decided: (call: ToolCall) => PriorDecision | undefined
  /** Where the session works. */
  readonly place: ShellContext
  /**
   * Whether a question needs no stored call of our hook: it comes after it in the output, and no grant or rule is looked up by
   * the folder of the call.
   */
  readonly asksInOutput: () => boolean
}

/** What decides in advance in a session, and what its hook saw. */
interface RememberedParts {
  readonly grants: SessionGrants
  readonly rules: SessionRules
  readonly repeats: SessionRepeats
  readonly state: () => Pick<SessionState, 'open'>
}

/** The policy of our hook in a session, with or without the settings of its folders. */
export function runContext(
  session: Session,
  trusted: boolean,
  environment: HubEnvironment,
  { grants, rules: sessionRules, repeats, state }: RememberedParts,
): RunContext {
  const { supervise, addDirs = [], allowedTools = [], nested, env } = session.config
  const { workingDirectory } = session
  const readOnly = environment.nestedTools?.filter((tool) => nested && tool.readOnly) ?? []
  const place = {
    files: diskFiles,
    bounds: { folders: [workingDirectory, ...addDirs], except: [environment.home] },
    cwd: workingDirectory,
    trusted,
  }
  const rules = () => {
    const { allow, ask } = settingsRules(
      { ...environment.env, ...env },
      trusted ? workingDirectory : undefined,
    )
    const ours = [
      ...allowedTools.map((text) => ({ text, origin: FLAG_ORIGIN })),
      ...grants.rules.map((text) => ({ text, origin: 'what was remembered' })),
    ]
    return { allow: [...ours, ...allow], ask }
  }
  const policy: HookPolicy = {
    supervise,
    place,
    plexusHome: environment.home,
    granted: (call) => grants.grantOf(call) !== undefined,
    revoked: (call) => grants.isRevoked(call),
    ruleFor: (call) => answeringRule(call, rules(), place),
    rules: {
      forbidden: (call) => sessionRules.forbidden(call, place),
      decided: (call) => sessionRules.decided(call, place),
    },
    ownReadOnly: new Set(readOnly.map(({ name }) => ownToolName(name))),
  }
  const grantable = (call: ToolCall) => !isAlwaysAsked(policy, call)
  return {
    sessionId: session.id,
    opinion: (call) => hookOpinion(policy, call),
    grantable,
    asksInOutput: () =>
      session.config.carrier !== 'mcp' &&
      grants.grants.length === 0 &&
      !repeats.exist &&
      !sessionRules.exist(place),
    place,
    decided: (call) => {
      const { toolUseId } = call
      // The rule that our hook found answers the question when it is stored.
      if (toolUseId !== undefined && state().open.seen.get(toolUseId)?.answer) return undefined
      const forbidden = sessionRules.forbidden(call, place)
      if (forbidden) return byVerdict(forbidden)
      // Before `grantable`, which reads the disk: few sessions have grants or rules.
      const verdict = sessionRules.exist(place) ? sessionRules.decided(call, place) : undefined
      const grant = verdict ? undefined : grants.grantOf(call)
      if (!verdict && !grant) return repeats.denialOf(call)
      if (!grantable(call)) return undefined
      return verdict ? byVerdict(verdict) : grant && { by: grant.by, grantId: grant.id }
    },
  }
}

function byVerdict(verdict: StoredVerdict): PriorDecision {
  return { by: `rule ${verdict.ruleId ?? ''}`, verdict }
}
