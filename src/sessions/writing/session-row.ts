import type { SessionEvent } from '../../events/session-event.ts'
import { firstWords } from '../../text/session-title.ts'
import { checkpointOf } from '../record/checkpoint.ts'
import type { Session } from '../record/session.ts'
import { statusOf } from '../record/session-state.ts'
import { spentRow } from '../spending/session-spending.ts'
import type { Ledger } from './ledger.ts'

/** The columns that follow from the folded state. */
export function rowOf({ session, state }: Ledger, lastSeq: number, steadyAt: number): Partial<Session> {
  const checkpoint = checkpointOf(state)
  const status = statusOf(state)
  return {
    status,
    turn: state.turn,
    cliSessionId: state.cliSessionId ?? session.cliSessionId,
    error: state.error,
    model: state.model,
    permissionMode: state.permissionMode,
    costUsd: state.cost.usd,
    spent: spentRow(session, state.spending, { status, inTurn: state.inTurn, at: steadyAt }),
    ...(state.budget === undefined ? {} : { budget: state.budget }),
    ...(state.budgetQuestions.length > 0 || session.budgetQuestions
      ? { budgetQuestions: state.budgetQuestions.length }
      : {}),
    ...(state.mustStop || session.mustStop ? { mustStop: state.mustStop } : {}),
    outdated: state.outdated,
    ...(state.knows.length > 0 ? { knows: state.knows } : {}),
    ...(state.stopped || session.stopped ? { stopped: state.stopped } : {}),
    ...(state.endedOutside || session.endedOutside ? { endedOutside: state.endedOutside } : {}),
    ...(state.flood.showing || session.showsHeld ? { showsHeld: state.flood.showing } : {}),
    ...(state.outside || session.outside ? { outside: state.outside } : {}),
    ...(state.terminal || session.terminal ? { terminal: state.terminal || undefined } : {}),
    // Otherwise every message would write the row for this alone; the end of the turn is soon enough.
    contextTokens: state.inTurn ? session.contextTokens : state.contextTokens,
    contextWindow: state.contextWindow,
    ...(checkpoint === undefined ? {} : { checkpoint: { seq: lastSeq, state: checkpoint } }),
  }
}

/** By its first prompt a session is recognised; what is said later changes that no more. */
export function withTitle({ session, state }: Ledger, event: SessionEvent): Session {
  if (event.type !== 'prompt.accepted' || state.turn > 0 || session.title !== undefined) return session
  const title = firstWords(event.content)
  return title === undefined ? session : { ...session, title }
}

/** By identity: an unchanged field is the same object. A new checkpoint of an equal state costs a write, no more. */
export function sameRow(a: Session, b: Session): boolean {
  const [before, after] = [fieldsOf(a), fieldsOf(b)]
  return Object.keys({ ...before, ...after }).every((field) => before[field] === after[field])
}

/** Without what changes with every step. */
function fieldsOf(row: Session): Readonly<Record<string, unknown>> {
  return { ...row, lastSeq: 0, updatedAt: 0 }
}
