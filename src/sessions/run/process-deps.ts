import { REPEAT_DENIED_MS } from '../../approvals/prepare-answer.ts'
import type { CallerStore } from '../../callers/caller.ts'
import type { HomeGrants } from '../in-advance/home-grants.ts'
import { SessionGrants } from '../in-advance/session-grants.ts'
import { SessionRepeats } from '../in-advance/session-repeats.ts'
import { SessionRules } from '../in-advance/session-rules.ts'
import type { HubEnvironment } from '../launch/hub-environment.ts'
import { PermitAccess } from '../launch/permit-access.ts'
import type { SessionWriter } from '../writing/session-writer.ts'
import type { SessionRun } from './session-run.ts'

/** What every process of a session is started or adopted with. */
export interface ProcessDeps {
  readonly writer: SessionWriter
  readonly environment: HubEnvironment
  readonly grants: SessionGrants
  readonly rules: SessionRules
  readonly repeats: SessionRepeats
  readonly permit: PermitAccess
  /** Makes room for one more process, or throws. Call the returned function when the process counts by itself. */
  readonly admit: () => Promise<() => void>
  /** Aborts when the hub detaches from its sessions. */
  readonly closing: AbortSignal
  /** How many processes in a row were started for the same prompts, after the first. */
  readonly restarts: () => number
  /** Takes the new run; resolves when it was sent what it is owed. */
  readonly onRun: (run: SessionRun) => Promise<void>
}

/** What a session is loaded with. */
export interface SessionParts {
  readonly writer: SessionWriter
  readonly environment: HubEnvironment
  readonly callers: CallerStore
  readonly admit: ProcessDeps['admit']
  readonly homeGrants: HomeGrants
}

/** The same for all processes of a session that is in memory. */
export function processDeps(
  { writer, environment, callers, admit, homeGrants }: SessionParts,
  live: Pick<ProcessDeps, 'closing' | 'restarts' | 'onRun'>,
): ProcessDeps {
  const grants = new SessionGrants(homeGrants, () => writer.state)
  const rules = new SessionRules({
    session: () => writer.session,
    state: () => writer.state,
    environment,
    grants,
  })
  const repeats = new SessionRepeats(
    () => writer.state,
    () => environment.repeatDeniedMs ?? REPEAT_DENIED_MS,
  )
  const permit = new PermitAccess(writer.session, environment, callers)
  return { writer, environment, admit, grants, rules, repeats, permit, ...live }
}
