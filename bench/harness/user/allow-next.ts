/** Who calls tools: a client of `plexus mcp`, or calls on the socket of the hub. */
export interface Caller {
  readonly call: <T>(tool: string, input: object) => Promise<T>
}

/** As much of what the tools return as figures need. */
export interface Status {
  readonly sessionId: string
  readonly status: string
  readonly pendingQuestion?: { readonly id: string }
}

/** Waits until the session asks or has ended, and allows what it asks for; returns how it stood. */
export async function allowNext(caller: Caller, sessionId: string): Promise<Status> {
  const seen = await caller.call<Status>('claude_status', { sessionId })
  const { id } = seen.pendingQuestion ?? {}
  if (id !== undefined) await caller.call('claude_respond', { sessionId, id, answers: ['allow'] })
  return seen
}

/** Allows what a session asks for and waits for what comes next, by one call; where it asks for nothing, it only waits. */
export function allowAndWait(caller: Caller, { sessionId, pendingQuestion }: Status): Promise<Status> {
  return pendingQuestion
    ? caller.call('claude_respond', {
        sessionId,
        id: pendingQuestion.id,
        answers: ['allow'],
        waitSeconds: WAIT_SECONDS,
      })
    : caller.call('claude_status', { sessionId, waitSeconds: WAIT_SECONDS })
}

export const WAIT_SECONDS = 50
