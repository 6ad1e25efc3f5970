import type { Caller } from '../callers/access-rules.ts'
import { callerIdOf } from '../callers/caller.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Variables that coding agents set for the commands they run; docs/SECURITY.md says which agent sets which. */
const AGENT_VARIABLES = [
  'CLAUDECODE',
  'AI_AGENT',
  'CODEX_THREAD_ID',
  'CODEX_CI',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'GEMINI_CLI',
  'QWEN_CODE',
  'OPENCODE',
  'COPILOT_CLI',
  'CURSOR_AGENT',
] as const

/**
 * The variable by which an agent says that it runs this command. An agent that hides it is not stopped by this: it runs with
 * the rights of its user. The rule is for honest agents.
 */
export function agentVariable(env: Env): string | undefined {
  return agentVariables(env)[0]
}

/** All of them that are set. */
export function agentVariables(env: Env): string[] {
  return AGENT_VARIABLES.filter((name) => Boolean(env[name]))
}

/** The operator at this terminal; under an agent it is a model that calls, without the rights of a person. */
export function callerAt(env: Env): Caller {
  const isAgent = agentVariable(env) !== undefined
  return {
    id: callerIdOf('operator', 'operator'),
    kind: 'operator',
    name: 'operator',
    scopes: isAgent ? [] : ['bypass'],
    person: !isAgent,
    via: 'command_line',
  }
}
