import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { RunId } from '../../base/ids.ts'
import { requireTrustForWorktree } from '../../child/launch/worktree-folder.ts'
import type { ChildSpec } from '../../child/process/start-child.ts'
import type { Run, Session } from '../record/session.ts'
import type { SessionState } from '../record/session-state.ts'
import { type ConversationStart, conversationStart } from './conversation-start.ts'
import { trustsFoldersOf } from './session-folders.ts'
import { requireOurHook } from './managed-settings.ts'
import type { HubEnvironment } from './hub-environment.ts'
import { launchSpec, type Permit } from './launch-spec.ts'

export interface LaunchPlan {
  readonly kind: ConversationStart['kind']
  readonly run: Run
  readonly spec: ChildSpec
  /** Whether the settings of its folders are loaded. */
  readonly trusted: boolean
}

interface PlanInput {
  readonly session: Session
  readonly state: SessionState
  readonly openPermit: () => Promise<Permit | undefined>
}

/** Resolves everything that the next process of a session is started with; starts nothing. */
export async function planLaunch(
  { session, state, openPermit }: PlanInput,
  environment: HubEnvironment,
): Promise<LaunchPlan> {
  const start = await conversationStart(session, environment)
  const cli = await environment.findCli()
  requireOurHook(cli)
  const trusted = trustsFoldersOf(session, state, environment)
  // A resumed conversation stays in its folder and makes no worktree.
  if (session.config.worktree && start.kind !== 'resume') requireTrustForWorktree(trusted)
  const permit = await openPermit()
  const id = RunId.parse(randomUUID())
  const folder = join(environment.home, 'runs', id)
  const run: Run = { id, sessionId: session.id, folder, offset: 0, startedAt: Date.now() }
  const spec = launchSpec({ session, state, run, start, permit, cli, trusted }, environment)
  return { kind: start.kind, run, spec, trusted }
}
