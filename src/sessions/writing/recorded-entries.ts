import { recordedSession } from '../../audit/recorded-session.ts'
import type { RecordEntry } from '../../audit/record-row.ts'
import { entriesOf } from '../../audit/session-entries.ts'
import type { ApprovalId } from '../../base/ids.ts'
import { callOf } from '../../child/state/run-state.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { Ledger } from './ledger.ts'

/** The rows that an event adds to the record. The ledger is that before the event. */
export function recordedOf(ledger: Ledger, event: SessionEvent, at: number): RecordEntry[] {
  const { open, budgetQuestions } = ledger.state
  const calls = {
    question: (id: string) =>
      open.approvals.get(id)?.opened ?? budgetQuestions.find(({ approvalId }) => approvalId === id),
    decided: (toolUseId: string) => decidedFor(ledger, toolUseId),
    call: (toolUseId: string) => callOf(ledger.state.open, toolUseId),
  }
  return entriesOf(event, () => recordedSession(ledger), { turn: ledger.state.turn, at, calls })
}

/** The approvals whose answer has arrived, as this tool result shows. */
export function decidedFor({ state }: Ledger, toolUse: string): ApprovalId[] {
  return [...state.open.approvals.values()]
    .filter(({ opened, decision }) => decision !== undefined && opened.toolUseId === toolUse)
    .map(({ opened }) => opened.approvalId)
}
