import { askedOrDecided } from '../../child/lines/request-to-events.ts'
import type { ApprovalId } from '../../base/ids.ts'
import type { TerminalEnd } from '../../base/answer-via.ts'
import type { Decision } from '../../events/decision.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import type { SessionWriter } from '../writing/session-writer.ts'
import type { RunContext } from './run-context.ts'

/** What became of a question: still open, answered here, or over without an answer from here. */
export type TerminalOutcome = { readonly decision: Decision } | 'open' | 'over'

/** The questions of a CLI in a terminal, which asks beside its own dialog. They never wait in the way of that dialog. */
export class TerminalQuestions {
  readonly #writer: SessionWriter
  readonly #decided: RunContext['decided']

  constructor(writer: SessionWriter, decided: RunContext['decided']) {
    this.#writer = writer
    this.#decided = decided
  }

  /** Stores the question, with its answer if a rule or a grant has one. A question that is open already is joined. */
  async open(opened: EventOf<'approval.opened'>): Promise<void> {
    const before = this.#decided(opened)
    await this.#writer.decide(({ open, outside }) => {
      if (outside?.to !== 'terminal' || open.approvals.has(opened.approvalId)) return []
      return askedOrDecided(opened, before)
    })
  }

  outcomeOf(approvalId: ApprovalId): TerminalOutcome {
    const open = this.#writer.state.open.approvals.get(approvalId)
    if (!open) return 'over'
    return open.decision ? { decision: open.decision } : 'open'
  }

  /** Nobody answers it here any more. Nothing is stored if it was settled before. */
  async end(approvalId: ApprovalId, end: TerminalEnd): Promise<void> {
    await this.#writer.decide(({ open }): SessionEvent[] => {
      const asked = open.approvals.get(approvalId)
      if (!asked || asked.decision) return []
      return [{ type: 'approval.settled', approvalId, status: 'withdrawn', carrier: 'terminal', end }]
    })
  }

  /** What seemed to be answered in the terminal was decided by a hook. */
  async noteHook(approvalId: ApprovalId): Promise<void> {
    await this.#writer.append([{ type: 'terminal.hook_found', approvalId }])
  }

  /** The decision was returned to the relay, which reports nothing more. */
  async noteReturned(approvalId: ApprovalId): Promise<void> {
    await this.#writer.noteSent(approvalId)
    await this.#writer.decide(({ open }): SessionEvent[] => {
      const asked = open.approvals.get(approvalId)
      return asked?.decision ? [{ type: 'request.cancelled', requestId: asked.opened.requestId }] : []
    })
  }
}
