import type { PendingQuestion } from '../../engine/engine.ts'
import { span } from './session-words.ts'

export interface TimeLeft {
  readonly text: string
  /** Most of its time is over. */
  readonly isShort: boolean
}

/** How long a question still waits before it is denied; undefined if it waits for ever. */
export function timeLeft(
  { expiresAt }: PendingQuestion,
  timeoutMs: number,
  now: number,
): TimeLeft | undefined {
  if (expiresAt === undefined) return undefined
  const left = expiresAt - now
  const isShort = left <= timeoutMs * SHORT
  return { text: isShort ? `EXPIRES in ${span(left)}` : `expires in ${span(left)}`, isShort }
}

const SHORT = 0.2
