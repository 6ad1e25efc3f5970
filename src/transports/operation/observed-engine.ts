import { MAX_WAIT_SECONDS } from '../../base/limits.ts'
import type { CallEvent, Looked } from '../../api/operation/operation-call.ts'
import type { Context } from '../../api/operation/operation.ts'
import type { PendingQuestion } from '../../engine/engine.ts'

type Engine = Context['engine']

export interface Observed {
  /** Waits no longer than was wanted at first, however often the call is made. */
  readonly engine: Engine
  readonly looked: () => Looked
  /** Whether it has waited for something to happen, in whatever way. */
  readonly hasWaited: () => boolean
}

interface Observing {
  readonly onEvent: (event: CallEvent) => void
  /** How long the caller has waited before. */
  readonly waitedMs?: number | undefined
  /** How long a question of a new session waits, unless the call says it. */
  readonly timeoutMs?: number | undefined
}

/** An engine that notes what an operation does with it: operations know nothing of hubs that end, or of who else is asked. */
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
      followEvents: (who, input) => {
        hasFollowed = true
        return engine.followEvents(who, input)
      },
      createSession: async (who, input) => {
        const created = await engine.createSession(who, {
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
          ...input,
        })
        if (input.content !== undefined) onEvent({ type: 'begun', sessionId: created.id })
        return seen(created)
      },
      startTurn: async (who, input) => {
        const started = await engine.startTurn(who, input)
        onEvent({ type: 'begun', sessionId: input.sessionId, promptId: started.promptId })
        return started
      },
      getSession: async (who, input) => seen(await engine.getSession(who, input)),
      waitFor: async (who, input) => {
        const ms = Math.min(input.seconds, MAX_WAIT_SECONDS) * 1_000
        if (input.seconds > 0) deadline ??= performance.now() + ms - waitedMs
        const seconds = Math.min(input.seconds, leftMs() / 1_000)
        return (await engine.waitFor(who, { ...input, seconds })).map(seen)
      },
      pending: async (who, input) => {
        const found = await engine.pending(who, input)
        for (const one of found) asked.set(one.id, one)
        return found
      },
    },
  }
}
