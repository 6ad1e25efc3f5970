import type { Child } from '../../child/process/child-process.ts'
import { endOf } from '../../child/process/run-liveness.ts'
import { PROTECTION, protectionOf } from '../../child/launch/protection-level.ts'
import type { LiveSession } from './live-session.ts'
import type { Run } from '../record/session.ts'
import type { SessionWriter } from '../record/session-writer.ts'
import { retryUntilDone } from '../../async/retry.ts'

/** A process that was started with less protection than it would be today. */
export interface OutdatedRun {
  readonly runId: string
  readonly protection: number
}

/** What an earlier hub left running, if it is such a one. */
export async function outdatedRun({ id, folder }: Run, child: Child): Promise<OutdatedRun | undefined> {
  const protection = await protectionOf(folder)
  if (protection >= PROTECTION || (await endOf(child.run, undefined))) return undefined
  return { runId: id, protection }
}

/** Says once, on record, that the process of a session is such a one. */
export async function nameOutdated(
  writer: SessionWriter,
  run: OutdatedRun,
  closing: AbortSignal,
): Promise<void> {
  const event = { type: 'run.outdated', ...run, needed: PROTECTION } as const
  await retryUntilDone(
    () =>
      writer.decide(({ runId, outdated }) =>
        runId === run.runId && outdated?.needed !== PROTECTION ? [event] : [],
      ),
    closing,
  )
}

/**
 * Ends such a process the first time that nothing goes on in it; whatever is said later goes to a new one. Not in the very
 * moment: the end of a background command is followed by the turn that the CLI begins for it.
 */
export async function endOnceIdle(
  session: Pick<LiveSession, 'isOutdated' | 'idleMs' | 'stopIfIdle'>,
  writer: SessionWriter,
  closing: AbortSignal,
): Promise<void> {
  const { doorbell, stop } = writer.listen()
  try {
    while (session.isOutdated && !closing.aborted) {
      if (await session.stopIfIdle(QUIET_MS)) return
      await doorbell.next(session.idleMs === undefined ? BUSY_MS : QUIET_MS, closing).catch(() => {})
    }
  } finally {
    stop()
  }
}

const QUIET_MS = 2_000
/** News of its rest comes by the doorbell; this is for what is under way without being on record. */
const BUSY_MS = 15_000
