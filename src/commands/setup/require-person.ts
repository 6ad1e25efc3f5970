import type { Env } from '../../assembly/config.ts'
import { requireOutside } from '../../assembly/outside-session.ts'
import { AppError } from '../../base/errors.ts'
import { agentVariable } from '../../command-line/agent-environment.ts'

/** For what gives rights: neither a session of ours nor another agent may give them to itself. */
export function requirePerson(env: Env, action: string): void {
  requireOutside(env)
  if (agentVariable(env) !== undefined)
    throw new AppError('forbidden', `Only a person may ${action}; run this yourself in a terminal.`)
}
