import { randomUUID } from 'node:crypto'
import { withoutNote } from '../../child/lines/stdin-messages.ts'
import { askedOrDecided, kindOf } from '../../child/lines/request-to-events.ts'
import { AppError } from '../../base/errors.ts'
import type { ChildDecision } from '../../events/decision.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'
import { ApprovalId, approvalIdOf, type SessionId } from '../../base/ids.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { RunContext } from './run-context.ts'
import type { SessionState } from '../record/session-state.ts'
import type { SessionWriter } from '../writing/session-writer.ts'

/** A question that a child asks by a tool call; the call waits for the answer. */
export interface Asked {
  readonly toolName: string
  readonly input: Record<string, unknown>
  readonly toolUseId: string
}

interface Ends {
  /** The asker has gone: its question is withdrawn. */
  readonly gone: AbortSignal
  /** The wait is over and the question stays open: the child may ask the next hub, though not after an error. */
  readonly ended?: AbortSignal | undefined
  /** The hub ends. Nothing is withdrawn and nothing is answered. */
  readonly closing: AbortSignal
}

/**
 * The calls of one session that wait for the answer to a question. The same question asked again (the connection was lost, the
 * hub is another) is the same approval, and the latest call gets its answer. A call that is aborted withdraws its question.
 */
export class PermitCalls {
  readonly #writer: SessionWriter
  readonly #decided: RunContext['decided']
  readonly #onError: (error: unknown) => void
  /** The latest call of each question. */
  readonly #last = new Map<string, AbortController>()

  constructor(writer: SessionWriter, decided: RunContext['decided'], onError: (error: unknown) => void) {
    this.#writer = writer
    this.#decided = decided
    this.#onError = onError
  }

  async ask(asked: Asked, { gone, ended, closing }: Ends): Promise<ChildDecision> {
    const approvalId = await this.#open(asked)
    const me = new AbortController()
    this.#last.get(approvalId)?.abort(askedAgain())
    this.#last.set(approvalId, me)
    try {
      const decision = await this.#decision(
        approvalId,
        AbortSignal.any([me.signal, gone, ...(ended ? [ended] : [])]),
      )
      // The answer was already reported as accepted, so a failure to note its delivery must not change it.
      await this.#noteAnswered(approvalId).catch(this.#onError)
      return withoutNote(decision)
    } catch (error) {
      const kept = closing.aborted || ended?.aborted === true || me.signal.aborted
      if (gone.aborted && !kept) await this.#withdraw(approvalId)
      throw error
    } finally {
      if (this.#last.get(approvalId) === me) this.#last.delete(approvalId)
    }
  }

  async #decision(approvalId: ApprovalId, signal: AbortSignal): Promise<ChildDecision> {
    const { doorbell, stop } = this.#writer.listen()
    try {
      for (;;) {
        signal.throwIfAborted()
        const open = this.#writer.state.open.approvals.get(approvalId)
        if (!open)
          throw new AppError(
            'already_settled',
            'This question was withdrawn and will not be answered; ask again if it still matters.',
          )
        if (open.decision) return open.decision
        await doorbell.next(RECHECK_MS, signal)
      }
    } finally {
      stop()
    }
  }

  /** The id of its approval, known or new; a new approval may already be answered, by a grant or a rule. */
  async #open(asked: Asked): Promise<ApprovalId> {
    let approvalId = ApprovalId.parse('') // replaced when `decide` calls back
    const before = this.#decided(asked)
    await this.#writer.decide((state) => {
      const known = sameQuestion(state, asked)
      const opened = known ?? openedBy(this.#writer.session.id, state, asked)
      approvalId = opened.approvalId
      return known ? [] : askedOrDecided(opened, before)
    })
    return approvalId
  }

  async #noteAnswered(approvalId: ApprovalId): Promise<void> {
    await this.#writer.noteSent(approvalId)
    await this.#closeOutside(approvalId)
  }

  /** A process that is not ours reports nothing more: with its answer the question is over. */
  async #closeOutside(approvalId: ApprovalId): Promise<void> {
    await this.#writer.decide(({ open, runId }): SessionEvent[] => {
      const approval = runId === undefined ? open.approvals.get(approvalId) : undefined
      return approval ? [{ type: 'request.cancelled', requestId: approval.opened.requestId }] : []
    })
  }

  async #withdraw(approvalId: ApprovalId): Promise<void> {
    await this.#writer.decide(({ open }): SessionEvent[] => {
      const approval = open.approvals.get(approvalId)
      return approval && !approval.decision
        ? [{ type: 'approval.settled', approvalId, status: 'withdrawn' }]
        : []
    })
  }
}

function sameQuestion({ open }: SessionState, asked: Asked): EventOf<'approval.opened'> | undefined {
  const input = JSON.stringify(asked.input)
  return [...open.approvals.values()]
    .map(({ opened }) => opened)
    .find(
      (opened) =>
        opened.carrier === 'mcp' &&
        opened.toolUseId === asked.toolUseId &&
        opened.toolName === asked.toolName &&
        JSON.stringify(opened.input) === input,
    )
}

/** The call itself does not say which agent asks; the call of our hook did. */
function openedBy(sessionId: SessionId, { open }: SessionState, asked: Asked): EventOf<'approval.opened'> {
  const requestId = randomUUID()
  const hook = [...open.hooks.values()].find(({ toolUseId }) => toolUseId === asked.toolUseId)
  return {
    type: 'approval.opened',
    approvalId: approvalIdOf(sessionId, requestId),
    requestId,
    kind: kindOf(asked.toolName),
    carrier: 'mcp',
    ...asked,
    ...definedFields({ agentId: hook?.agentId }),
  }
}

function askedAgain(): AppError {
  return new AppError('in_use', 'This question was asked again since; its answer goes there.')
}

const RECHECK_MS = 60_000
