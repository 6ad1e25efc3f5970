import type { Context } from '../../api/operation/operation.ts'
import type { PendingQuestion } from '../../engine/engine.ts'

type Engine = Context['engine']

/** What an operation has looked at, as its engine saw it: operations know nothing of who else may be asked. */
export interface Watched {
  /** Waits no longer than was wished for at first, however often it is asked. */
  readonly engine: Engine
  /** The questions that it saw, oldest first. */
  readonly asked: () => readonly PendingQuestion[]
  /** It is done once more, and looks anew. */
  readonly forget: () => void
  /** Whether it has wanted to wait, and how long it still does. */
  readonly waits: () => boolean
  readonly leftMs: () => number
}

export function watchedEngine(
  engine: Engine,
  onSession: (sessionId: string, lastSeq: number) => void,
): Watched {
  const asked = new Map<string, PendingQuestion>()
  let deadline: number | undefined
  const leftMs = () => (deadline === undefined ? 0 : Math.max(0, deadline - performance.now()))
  const touched = <T extends { readonly id: string; readonly lastSeq: number }>(session: T): T => {
    onSession(session.id, session.lastSeq)
    return session
  }
  return {
    asked: () => [...asked.values()].toSorted((a, b) => a.openedAt - b.openedAt),
    forget: () => asked.clear(),
    waits: () => deadline !== undefined,
    leftMs,
    engine: {
      ...engine,
      createSession: async (who, input) => touched(await engine.createSession(who, input)),
      getSession: async (who, input) => touched(await engine.getSession(who, input)),
      waitFor: async (who, input) => {
        if (input.seconds > 0) deadline ??= performance.now() + Math.min(input.seconds, MOST_SECONDS) * 1_000
        const seconds = Math.min(input.seconds, leftMs() / 1_000)
        return (await engine.waitFor(who, { ...input, seconds })).map(touched)
      },
      pending: async (who, input) => {
        const found = await engine.pending(who, input)
        for (const one of found) asked.set(one.id, one)
        return found
      },
    },
  }
}

const MOST_SECONDS = 50
