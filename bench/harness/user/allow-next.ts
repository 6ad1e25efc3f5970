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
