import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { requireTrustForWorktree } from '../../child/launch/worktree-folder.ts'
import type { ChildSpec } from '../../child/process/start-child.ts'
import {
  type Beginning,
  beginningOf,
  contextOf,
  type Permit,
  type RunContext,
  specOf,
  type Surroundings,
  trustsFoldersOf,
} from './launch-spec.ts'
import type { Remembered } from './session-grants.ts'
import type { Run, Session } from '../record/session.ts'
import type { SessionState } from '../record/session-state.ts'

export interface NextRun {
  readonly kind: Beginning['kind']
  readonly run: Run
  /** What was remembered as rules of the CLI, and is given to it. */
  readonly rules: readonly string[]
  readonly spec: ChildSpec
  readonly context: RunContext
}

interface Needs {
  readonly session: Session
  readonly state: SessionState
  readonly remembered: Remembered
  readonly permit: () => Promise<Permit | undefined>
}

/** All that the next process of a session is started with; nothing is started yet. */
export async function nextRun(
  { session, state, remembered, permit: openPermit }: Needs,
  around: Surroundings,
): Promise<NextRun> {
  const beginning = await beginningOf(session, around)
  const cli = await around.findCli()
  const trusted = trustsFoldersOf(session, state, around)
  // A resumed one goes on where it is.
  if (session.config.worktree && beginning.kind !== 'resume') requireTrustForWorktree(trusted)
  const permit = await openPermit()
  const id = randomUUID()
  const folder = join(around.home, 'runs', id)
  const run: Run = { id, sessionId: session.id, folder, offset: 0, startedAt: Date.now() }
  const { rules } = remembered
  return {
    kind: beginning.kind,
    run,
    rules,
    spec: specOf({ session, state, run, permit, cli, trusted, rules }, beginning, around),
    context: contextOf(session, trusted, around, remembered),
  }
}
