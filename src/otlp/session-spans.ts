import { sha256Of } from '../base/ids.ts'
import type { EventOf, SessionEvent } from '../events/session-event.ts'
import { type AskedQuestion, approvalSpan } from './approval-span.ts'
import { ATTRIBUTE, PROVIDER, SPAN } from './otlp-names.ts'
import { type Span, spanIdOf, traceIdOf } from './span.ts'

/** What a span says of its session. */
export interface TracedSession {
  readonly id: string
  readonly name?: string | undefined
  readonly turn: number
  readonly model?: string | undefined
}

interface OpenCall {
  readonly at: number
  readonly tool: string
}

/**
 * The turns, calls and questions of one session as spans. It holds what is open, so what a restart of the hub interrupts has no
 * length, or no span. Nothing that a model or a person wrote is in a span but the names of tools.
 */
export class SessionSpans {
  #turn: { readonly number: number; readonly at: number } | undefined
  #usage: Pick<EventOf<'cost.reported'>, 'inputTokens' | 'outputTokens'> | undefined
  readonly #calls = new Map<string, OpenCall>()
  readonly #questions = new Map<string, AskedQuestion>()

  get isEmpty(): boolean {
    return this.#turn === undefined && this.#calls.size + this.#questions.size === 0
  }

  /** The spans that end with this event. */
  add(session: TracedSession, event: SessionEvent, at: number): Span[] {
    switch (event.type) {
      case 'turn.started':
        this.#turn ??= { number: session.turn, at }
        return []
      case 'cost.reported':
        this.#usage = event
        return []
      case 'turn.ended':
        return this.#endTurn(session, event, at)
      case 'tool.used':
        this.#calls.set(event.toolUseId, { at, tool: event.toolName })
        return []
      case 'tool.finished':
        return this.#endCall(session, event, at)
      case 'approval.opened': {
        const { approvalId, toolName: tool, toolUseId, input } = event
        this.#questions.set(approvalId, { at, tool, toolUseId, shownHash: sha256Of(input) })
        return []
      }
      case 'approval.settled': {
        const asked = this.#questions.get(event.approvalId)
        this.#questions.delete(event.approvalId)
        const { approvalId, status, by, via, rule, grantId } = event
        const decided = { approvalId, status, by: by ?? via, rule: rule ?? grantId, scope: scopeOf(event) }
        return [approvalSpan({ sessionId: session.id, at, ...decided }, asked)]
      }
      case 'run.ended':
        this.#calls.clear()
        return []
      default:
        return []
    }
  }

  #endTurn(session: TracedSession, { outcome, error }: EventOf<'turn.ended'>, at: number): Span[] {
    const { number, at: from } = this.#turn ?? { number: session.turn, at }
    const usage = this.#usage
    this.#turn = undefined
    this.#usage = undefined
    return [
      {
        traceId: traceIdOf(session.id),
        spanId: spanIdOf(session.id, 'turn', number),
        name: `${SPAN.turn} ${session.name ?? 'claude'}`,
        from,
        to: at,
        failed: outcome === 'failed',
        attributes: {
          ...common(session, SPAN.turn),
          [ATTRIBUTE.agentId]: session.id,
          [ATTRIBUTE.agentName]: session.name,
          [ATTRIBUTE.model]: session.model,
          [ATTRIBUTE.turn]: number,
          [ATTRIBUTE.outcome]: outcome,
          [ATTRIBUTE.inputTokens]: usage?.inputTokens,
          [ATTRIBUTE.outputTokens]: usage?.outputTokens,
          [ATTRIBUTE.errorType]: error?.code,
        },
      },
    ]
  }

  #endCall(session: TracedSession, { toolUseId, isError }: EventOf<'tool.finished'>, at: number): Span[] {
    const call = this.#calls.get(toolUseId)
    if (!call) return []
    this.#calls.delete(toolUseId)
    return [
      {
        traceId: traceIdOf(session.id),
        spanId: spanIdOf(session.id, 'call', toolUseId),
        parentSpanId: spanIdOf(session.id, 'turn', this.#turn?.number ?? session.turn),
        name: `${SPAN.call} ${call.tool}`,
        from: call.at,
        to: at,
        failed: isError,
        attributes: {
          ...common(session, SPAN.call),
          [ATTRIBUTE.tool]: call.tool,
          [ATTRIBUTE.toolCall]: toolUseId,
          [ATTRIBUTE.errorType]: isError ? 'tool_error' : undefined,
        },
      },
    ]
  }
}

function common({ id }: TracedSession, operation: string): Span['attributes'] {
  return {
    [ATTRIBUTE.operation]: operation,
    [ATTRIBUTE.provider]: PROVIDER,
    [ATTRIBUTE.conversation]: id,
  }
}

/** For how many calls the answer counts. */
function scopeOf({ remembered, grantId, rule }: EventOf<'approval.settled'>): string {
  return remembered ? 'session' : (grantId ?? rule) ? 'rule' : 'once'
}
