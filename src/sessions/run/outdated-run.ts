import type { RunId } from '../../base/ids.ts'
import type { Child } from '../../child/process/child-process.ts'
import { endOf } from '../../child/process/run-liveness.ts'
import { PROTECTION, protectionOf } from '../../child/launch/protection-level.ts'
import type { Run } from '../record/session.ts'
import type { SessionWriter } from '../writing/session-writer.ts'
import { retryUntilDone } from '../../async/retry.ts'

/** A process that was started with less protection than it would be today. */
export interface OutdatedRun {
  readonly runId: RunId
  readonly protection: number
}

/** A session with a process that may be outdated. */
interface OutdatedSession {
  readonly isOutdated: boolean
  /** For how long the process could have been stopped without loss; undefined while it could not. */
  readonly idleMs: number | undefined
  /** Ends a process that has been idle for `ms`; returns whether it did. */
  stopIfIdle(ms: number): Promise<boolean>
}

/** Returns the process that an earlier hub left, if it is outdated and still runs. */
export async function outdatedRun({ id, folder }: Run, child: Child): Promise<OutdatedRun | undefined> {
  const protection = await protectionOf(folder)
  if (protection >= PROTECTION || (await endOf(child.run, undefined))) return undefined
  return { runId: id, protection }
}

/** Stores, once, that the process of a session is outdated. */
export async function recordOutdated(
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
 * Ends an outdated process as soon as it is idle; later prompts go to a new process. It waits a moment first, because the CLI
 * begins a turn after the end of a background command.
 */
export async function endOnceIdle(
  session: OutdatedSession,
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
/** The doorbell rings when it becomes idle; this interval is for work that is not on record. */
const BUSY_MS = 15_000
