import { couldMatch } from '../../child/launch/tool-rule.ts'
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
import { compileRules } from '../../rules/compiled-rules.ts'
import type { Rule } from '../../rules/rule.ts'
import type { StoredVerdict } from '../../rules/verdict.ts'
import { diskFiles } from '../../shell/disk-files.ts'
import type { ShellContext } from '../../shell/harmless.ts'
import type { HubEnvironment } from '../launch/hub-environment.ts'
import type { Session } from '../record/session.ts'
import type { SessionState } from '../record/session-state.ts'
import type { SessionGrants } from '../in-advance/session-grants.ts'
import type { SessionRules } from '../in-advance/session-rules.ts'

/** How the lines of a session's child are read, and which of its calls may be remembered. */
export interface RunContext extends LineContext {
  /** Why such a call would be asked about again although these rules were remembered, after "because". */
  readonly askedDespite: (call: ToolCall, rules: readonly Rule[]) => string | undefined
  /** The decision that a rule or a grant gives in advance, for a question that is about to be opened. */
  readonly decided: (call: ToolCall) => PriorDecision | undefined
  /** Where the session works. */
  readonly place: ShellContext
  /**
   * Whether a question needs no stored call of our hook: it comes after it in the output, and no rule is looked up by the folder
   * of the call.
   */
  readonly asksInOutput: () => boolean
}

/** What decides in advance in a session, and what its hook saw. */
interface RememberedParts {
  readonly grants: SessionGrants
  readonly rules: SessionRules
  readonly state: () => Pick<SessionState, 'open' | 'given'>
}

/** The policy of our hook in a session, with or without the settings of its folders. */
export function runContext(
  session: Session,
  trusted: boolean,
  environment: HubEnvironment,
  { grants, rules: sessionRules, state }: RememberedParts,
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
    return { allow: [...allowedTools.map((text) => ({ text, origin: FLAG_ORIGIN })), ...allow], ask }
  }
  const policy: HookPolicy = {
    supervise,
    place,
    plexusHome: environment.home,
    givenRule: (call) => state().given.some((rule) => couldMatch(rule, call)),
    ruleFor: (call) => answeringRule(call, rules(), place),
    rules: {
      forbidden: (call) => sessionRules.forbidden(call, place),
      decided: (call) => sessionRules.decided(call, place),
    },
    ownReadOnly: new Set(readOnly.map(({ name }) => ownToolName(name))),
  }
  return {
    sessionId: session.id,
    opinion: (call) => hookOpinion(policy, call),
    asksInOutput: () => session.config.carrier !== 'mcp' && !sessionRules.exist(place),
    place,
    askedDespite: (call, remembered) => {
      if (isAlwaysAsked(policy, call))
        return 'it could reach files of Plexus itself and is asked about each time'
      const verdict = sessionRules.forbidden(call, place) ?? sessionRules.written(call, place)
      if (verdict && verdict.effect !== 'allow')
        return `the rule ${verdict.ruleId ?? ''} has such calls asked about each time`
      const granted = sessionRules.granted(call, place, compileRules(remembered))
      return granted?.effect === 'allow' ? undefined : 'it would not hold where the call runs'
    },
    decided: (call) => {
      const { toolUseId } = call
      // The rule that our hook found answers the question when it is stored.
      if (toolUseId !== undefined && state().open.seen.get(toolUseId)?.answer) return undefined
      const forbidden = sessionRules.forbidden(call, place)
      if (forbidden) return byVerdict(forbidden)
      // Before the look at the disk: few sessions have rules or grants.
      const verdict = sessionRules.exist(place) ? sessionRules.decided(call, place) : undefined
      if (!verdict || isAlwaysAsked(policy, call)) return undefined
      return byVerdict(verdict, grants)
    },
  }
}

function byVerdict(verdict: StoredVerdict, grants?: SessionGrants): PriorDecision {
  const ruleId = verdict.ruleId ?? ''
  const [first = ''] = ruleId.split(', ')
  const grant = verdict.drawer === 'granted' ? grants?.byId(first) : undefined
  return grant ? { by: grant.by, grantId: grant.id, verdict } : { by: `rule ${ruleId}`, verdict }
}
