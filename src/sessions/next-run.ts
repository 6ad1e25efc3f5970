import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { ToolCall } from '../child/hook-opinion.ts'
import type { LineContext } from '../child/request-to-event.ts'
import type { ChildSpec } from '../child/start-child.ts'
import {
  type Beginning,
  beginningOf,
  contextOf,
  type Permit,
  specOf,
  type Surroundings,
  trustsFoldersOf,
} from './prepare-run.ts'
import type { Run, Session } from './session.ts'
import type { SessionState } from './session-state.ts'

export interface NextRun {
  readonly kind: Beginning['kind']
  readonly run: Run
  readonly spec: ChildSpec
  readonly context: LineContext
}

interface Needs {
  readonly session: Session
  readonly state: SessionState
  readonly granted: (call: ToolCall) => boolean
  readonly permit: () => Promise<Permit | undefined>
}

/** All that the next process of a session is started with; nothing is started yet. */
export async function nextRun(
  { session, state, granted, permit: openPermit }: Needs,
  around: Surroundings,
): Promise<NextRun> {
  const beginning = await beginningOf(session, around)
  const cli = await around.findCli()
  const permit = await openPermit()
  const trusted = trustsFoldersOf(session, state, around)
  const id = randomUUID()
  const folder = join(around.home, 'runs', id)
  const run: Run = { id, sessionId: session.id, folder, offset: 0, startedAt: Date.now() }
  return {
    kind: beginning.kind,
    run,
    spec: specOf({ session, state, run, permit, cli, trusted }, beginning, around),
    context: contextOf(session, cli.version, around, granted),
  }
}
