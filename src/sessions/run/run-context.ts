import { ownToolName } from '../../child/launch/mcp-servers.ts'
import type { PriorGrant, LineContext } from '../../child/lines/request-to-events.ts'
import { answeringRule } from '../../child/policy/answering-rule.ts'
import {
  type HookPolicy,
  hookOpinion,
  isAlwaysAsked,
  type ToolCall,
} from '../../child/policy/hook-opinion.ts'
import { settingsRules } from '../../child/policy/settings-rules.ts'
import { diskFiles } from '../../shell/disk-files.ts'
import type { HubEnvironment } from '../launch/hub-environment.ts'
import type { Session } from '../record/session.ts'
import type { SessionGrants } from './session-grants.ts'

/** How the lines of a session's child are read, and which of its calls may be granted. */
export interface RunContext extends LineContext {
  /** Whether such a call may be allowed for the rest of the session. */
  readonly grantable: (call: ToolCall) => boolean
  readonly granted: (call: ToolCall) => PriorGrant | undefined
  /**
   * Whether a question needs no stored call of our hook: it comes after it in the output, and no grant is looked up by the
   * folder of the call.
   */
  readonly asksInOutput: () => boolean
}

/** The policy of our hook in a session, with or without the settings of its folders. */
export function runContext(
  session: Session,
  trusted: boolean,
  environment: HubEnvironment,
  grants: SessionGrants,
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
      ...allowedTools.map((text) => ({ text, origin: 'allowedTools' })),
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
    ownReadOnly: new Set(readOnly.map(({ name }) => ownToolName(name))),
  }
  const grantable = (call: ToolCall) => !isAlwaysAsked(policy, call)
  return {
    sessionId: session.id,
    opinion: (call) => hookOpinion(policy, call),
    grantable,
    asksInOutput: () => session.config.carrier !== 'mcp' && grants.grants.length === 0,
    granted: (call) => {
      // First, because `grantable` reads the disk and few sessions have grants.
      const grant = grants.grantOf(call)
      return grant && grantable(call) ? grant : undefined
    },
  }
}
