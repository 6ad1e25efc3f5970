import { RunId } from '../../base/ids.ts'
import { type RunEnd, sentenceOf } from '../../child/process/run-end.ts'
import { AppError } from '../../base/errors.ts'
import type { ErrorInfo, SessionEvent } from '../../events/session-event.ts'
import { systemLimitMessage } from '../../system/system-limit-message.ts'
import type { SessionState } from '../record/session-state.ts'

export interface RunEnding {
  readonly end: RunEnd
  readonly stderr: string
  /** We ended it. */
  readonly stopped: boolean
  /** It has begun a turn. */
  readonly lived: boolean
  /** Why we ended it, if no caller asked for that. */
  readonly failure?: string | undefined
  /** It was busy when we ended it, though an interrupt may have ended its turn since. */
  readonly cutShort?: boolean | undefined
  /** How many processes in a row were started for the same prompts, after the first. */
  readonly restarts: number
}

/**
 * The events that follow from the end of a process. Prompts that it took and did not echo go to the next process if this
 * process ended well or never lived, a few times at most. After a failure they are withdrawn, because the failure is the answer
 * to them: the caller sees it, and sends them again or sends another prompt.
 */
export function eventsOfEnd(state: SessionState, ending: RunEnding): SessionEvent[] {
  const { end, stderr, stopped, failure, cutShort = false } = ending
  const runId = state.runId ?? NO_RUN
  const busy = cutShort || state.inTurn || state.open.prompts.size > 0 || state.agents.length > 0
  // A lost run is reported as lost, also if its last output ended the turn. A run that we gave up is reported with our reason:
  // ending it interrupts its turn, which does not say why.
  const bad = busy || failure !== undefined || (end.kind === 'lost' && ending.lived)
  const failed = bad && !stopped && !canContinue(ending)
  const error = { code: 'cli_failed', message: failure ?? sentenceOf(end, stderr) }
  return [
    { type: 'run.ended', runId, ...(stopped ? { stopped } : {}), ...(failed ? { error } : {}) },
    ...(stopped || failed ? withdrawals(state) : []),
  ]
}

/** Whether the next process may take the prompts. */
export function canContinue({ end, lived, stopped, restarts, failure }: RunEnding): boolean {
  if (stopped || failure !== undefined || restarts >= MAX_RESTARTS) return false
  return (end.kind === 'exited' && end.code === 0) || (end.kind === 'lost' && !lived)
}

/** The events that follow when a process could not be started. */
export function eventsOfNoStart(state: SessionState, runId: RunId, error: unknown): SessionEvent[] {
  return [{ type: 'run.ended', runId, error: errorOf(error) }, ...withdrawals(state)]
}

export function withdrawals({ open }: SessionState): SessionEvent[] {
  return [...open.prompts.keys()].map((promptId) => ({ type: 'prompt.withdrawn', promptId }))
}

/** Why something failed, as a part of a sentence. */
export function reasonOf(error: unknown): string {
  return systemLimitMessage(error) ?? (error instanceof Error ? error.message : String(error))
}

export function errorOf(error: unknown): ErrorInfo {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  const message = systemLimitMessage(error)
  if (message !== undefined) return { code: 'cli_failed', message }
  return { code: 'cli_failed', message: `Claude Code could not be started: ${String(error)}.` }
}

const NO_RUN = RunId.parse('')
const MAX_RESTARTS = 2

export const UNGUARDED =
  'A tool ran that Plexus was not asked about, and this session is to be asked about everything, so Claude Code was ended. Look for a setting or a hook of your own that switches our hook off or answers in its place.'
export const LOST_ADDRESS =
  'The hub is at another address than before, where Claude Code cannot ask it, so it was ended. Send a prompt to continue.'
export const NOT_STORED = 'The output of Claude Code could not be stored, so it was ended'
