import { randomUUID } from 'node:crypto'
import { withoutNote } from '../../child/lines/stdin-messages.ts'
import { askedOrGranted, kindOf } from '../../child/lines/request-to-events.ts'
import { AppError } from '../../base/errors.ts'
import type { Decision, EventOf, SessionEvent } from '../../events/session-event.ts'
import { approvalIdOf } from '../../base/ids.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { RunContext } from './run-context.ts'
import type { SessionState } from '../record/session-state.ts'
import type { SessionWriter } from '../record/session-writer.ts'

/** A question of a child by a tool call, which waits for its answer. */
export interface Asked {
  readonly toolName: string
  readonly input: Record<string, unknown>
  readonly toolUseId: string
}

interface Ends {
  /** The asker has gone: its question is withdrawn. */
  readonly gone: AbortSignal
  /** The wait is over and the question stays: the child may ask the next hub, though not after an error. */
  readonly ended?: AbortSignal | undefined
  /** It is us who go. Nothing is taken back and nothing is answered. */
  readonly closing: AbortSignal
}

/**
 * Those of one session who ask by a call and wait in it. The same question asked again (the connection was lost, the hub
 * is another) is the same approval, and whoever asked last gets its answer. One who goes away takes the question back.
 */
export class PermitCalls {
  readonly #writer: SessionWriter
  readonly #granted: RunContext['granted']
  readonly #onError: (error: unknown) => void
  /** Of each question the one who asked last. */
  readonly #last = new Map<string, AbortController>()

  constructor(writer: SessionWriter, granted: RunContext['granted'], onError: (error: unknown) => void) {
    this.#writer = writer
    this.#granted = granted
    this.#onError = onError
  }

  async ask(asked: Asked, { gone, ended, closing }: Ends): Promise<Decision> {
    const approvalId = await this.#open(asked)
    const me = new AbortController()
    this.#last.get(approvalId)?.abort(askedAgain())
    this.#last.set(approvalId, me)
    try {
      const told = await this.#decision(
        approvalId,
        AbortSignal.any([me.signal, gone, ...(ended ? [ended] : [])]),
      )
      // Whoever decided was told that it counts: what cannot be noted any more changes nothing in that.
      await this.#noteTold(approvalId).catch(this.#onError)
      return withoutNote(told)
    } catch (error) {
      const kept = closing.aborted || ended?.aborted === true || me.signal.aborted
      if (gone.aborted && !kept) await this.#withdraw(approvalId)
      throw error
    } finally {
      if (this.#last.get(approvalId) === me) this.#last.delete(approvalId)
    }
  }

  async #decision(approvalId: string, signal: AbortSignal): Promise<Decision> {
    const { doorbell, stop } = this.#writer.listen()
    try {
      for (;;) {
        signal.throwIfAborted()
        const open = this.#writer.state.open.approvals.get(approvalId)
        if (!open)
          throw new AppError('already_settled', 'This question was withdrawn; nobody will answer it.')
        if (open.decision) return open.decision
        await doorbell.next(LOOK_AGAIN_MS, signal)
      }
    } finally {
      stop()
    }
  }

  /** The id of its approval, known or new; a new one may have its answer already. */
  async #open(asked: Asked): Promise<string> {
    let approvalId = ''
    const before = this.#granted(asked)
    await this.#writer.decide((state) => {
      const known = sameQuestion(state, asked)
      const opened = known ?? openedBy(this.#writer.session.id, state, asked)
      approvalId = opened.approvalId
      return known ? [] : askedOrGranted(opened, before)
    })
    return approvalId
  }

  async #noteTold(approvalId: string): Promise<void> {
    await this.#writer.noteSent(approvalId)
    await this.#closeOutside(approvalId)
  }

  /** Of a process that is not ours nothing more is heard: with its answer the question is over. */
  async #closeOutside(approvalId: string): Promise<void> {
    await this.#writer.decide(({ open, runId }): SessionEvent[] => {
      const approval = runId === undefined ? open.approvals.get(approvalId) : undefined
      return approval ? [{ type: 'request.cancelled', requestId: approval.opened.requestId }] : []
    })
  }

  async #withdraw(approvalId: string): Promise<void> {
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

/** The call itself does not say which agent asks; our hook was told. */
function openedBy(sessionId: string, { open }: SessionState, asked: Asked): EventOf<'approval.opened'> {
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

const LOOK_AGAIN_MS = 60_000
