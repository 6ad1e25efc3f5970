import type { SessionId } from '../../base/ids.ts'
import type { Run, Session, Turn } from '../record/session.ts'
import type { SessionState } from '../record/session-state.ts'

/** What a session's writer needs to write the next step: the current rows, and the folded state. */
export interface Ledger {
  readonly session: Session
  readonly state: SessionState
  readonly run: Run | undefined
  readonly turn: Turn | undefined
  /** What the current turn began with. */
  readonly title: string
  /** The sessions above it, the nearest first. */
  readonly ancestors?: readonly SessionId[] | undefined
}
