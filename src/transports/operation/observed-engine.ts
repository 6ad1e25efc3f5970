import { MAX_WAIT_SECONDS } from '../../base/limits.ts'
import type { CallEvent, Looked } from '../../api/operation/operation-call.ts'
import type { Context } from '../../api/operation/operation.ts'
import type { PendingQuestion } from '../../engine/engine.ts'

type Engine = Context['engine']

export interface Observed {
  /** All waits together take no longer than the first wait was to take, also if the call is repeated. */
  readonly engine: Engine
  readonly looked: () => Looked
  /** Whether the call has waited for an event, in any way. */
  readonly hasWaited: () => boolean
}

interface Observing {
  readonly onEvent: (event: CallEvent) => void
  /** How long the caller has already waited in the same call. */
  readonly waitedMs?: number | undefined
  /** How long a question of a new session waits, unless the call sets it. */
  readonly timeoutMs?: number | undefined
}

/** An engine that records what an operation does with it: operations know nothing of hubs that end, or of forms. */
export function observedEngine(engine: Engine, { onEvent, waitedMs = 0, timeoutMs }: Observing): Observed {
  const asked = new Map<string, PendingQuestion>()
  let deadline: number | undefined
  let hasFollowed = false
  const leftMs = () => (deadline === undefined ? 0 : Math.max(0, deadline - performance.now()))
  const seen = <T extends { readonly id: string; readonly lastSeq: number }>(session: T): T => {
    onEvent({ type: 'session', sessionId: session.id, lastSeq: session.lastSeq })
    return session
  }
  return {
    looked: () => ({
      asked: [...asked.values()].toSorted((a, b) => a.openedAt - b.openedAt),
      waits: deadline !== undefined,
      leftMs: leftMs(),
    }),
    hasWaited: () => deadline !== undefined || hasFollowed,
    engine: {
      ...engine,
      followEvents: (call, input) => {
        hasFollowed = true
        return engine.followEvents(call, input)
      },
      createSession: async (call, input) => {
        const created = await engine.createSession(call, {
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
          ...input,
        })
        if (input.content !== undefined) onEvent({ type: 'begun', sessionId: created.id })
        return seen(created)
      },
      startTurn: async (call, input) => {
        const started = await engine.startTurn(call, input)
        onEvent({ type: 'begun', sessionId: input.sessionId, promptId: started.promptId })
        return started
      },
      // An answer is given once: when the hub ends afterwards, only the wait for what comes next is repeated.
      answer: async (call, input) => {
        const answered = await engine.answer(call, input)
        onEvent({ type: 'begun', sessionId: answered.sessionId })
        return answered
      },
      getSession: async (call, input) => seen(await engine.getSession(call, input)),
      waitFor: async (call, input) => {
        const ms = Math.min(input.seconds, MAX_WAIT_SECONDS) * 1_000
        if (input.seconds > 0) deadline ??= performance.now() + ms - waitedMs
        const seconds = Math.min(input.seconds, leftMs() / 1_000)
        return (await engine.waitFor(call, { ...input, seconds })).map(seen)
      },
      pending: async (call, input) => {
        const found = await engine.pending(call, input)
        for (const question of found) asked.set(question.id, question)
        return found
      },
    },
  }
}
