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
  /** Why we ended it, when that was no wish of anybody's. */
  readonly failure?: string | undefined
  /** Something went on then, though an interrupt may have ended it since. */
  readonly cutShort?: boolean | undefined
  /** How many processes in a row were started for the same prompts, after the first. */
  readonly restarts: number
}

/**
 * What the end of a process means for its session. Prompts that it took and did not echo go to the next process
 * when this one ended well or never lived, a few times at most; after a failure they are taken back, for the failure is the answer to
 * them: whoever said them is told, and says them again or says something else.
 */
export function eventsOfEnd(state: SessionState, ending: RunEnding): SessionEvent[] {
  const { end, stderr, stopped, failure, cutShort = false } = ending
  const runId = state.runId ?? ''
  const busy = cutShort || state.inTurn || state.open.prompts.size > 0 || state.agents.length > 0
  // A run that was lost is told as that, also when its last words ended the turn.
  // So is one that we gave up: to end it interrupts its turn, which says nothing of why.
  const bad = busy || failure !== undefined || (end.kind === 'lost' && ending.lived)
  const failed = bad && !stopped && !canContinue(ending)
  const error = { code: 'cli_failed', message: failure ?? sentenceOf(end, stderr) }
  return [
    { type: 'run.ended', runId, ...(stopped ? { stopped } : {}), ...(failed ? { error } : {}) },
    ...(stopped || failed ? withdrawals(state) : []),
  ]
}

/** Whether the next process may simply take over. */
export function canContinue({ end, lived, stopped, restarts, failure }: RunEnding): boolean {
  if (stopped || failure !== undefined || restarts >= MAX_RESTARTS) return false
  return (end.kind === 'exited' && end.code === 0) || (end.kind === 'lost' && !lived)
}

/** What it means that a process could not be started. */
export function eventsOfNoStart(state: SessionState, runId: string, error: unknown): SessionEvent[] {
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

const MAX_RESTARTS = 2

export const UNGUARDED =
  'A tool ran that Plexus was not asked about, and this session is to be asked about everything, so Claude Code was ended. Look for a setting or a hook of your own that switches our hook off or answers in its place.'
export const LOST_ADDRESS =
  'The hub is at another address than before, where Claude Code cannot ask it, so it was ended. Say something to go on.'
export const NOT_STORED = 'What Claude Code said could not be kept, so it was ended'
