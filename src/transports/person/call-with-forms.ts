import type { ServerContext } from '@modelcontextprotocol/server'
import { withTimeout } from '../../async/with-timeout.ts'
import { MAX_TIMER_MS } from '../../base/limits.ts'
import type { OperationAnswer, OperationCall, ToolResult } from '../../api/operation/operation-call.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Engine, PendingQuestion } from '../../engine/engine.ts'
import type { FormPlace } from './form-place.ts'
import { seenByPerson } from './seen-by-person.ts'
import { type OpenForms } from './open-forms.ts'

/** Makes the call, or makes it once more. */
export type MakeCall = (more?: Pick<OperationCall, 'again' | 'waitedMs'>) => Promise<OperationAnswer>

export interface FormCall {
  readonly makeCall: MakeCall
  readonly engine: Engine
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly mcpReq: ServerContext['mcpReq']
}

export interface Elicited {
  readonly result: ToolResult
  /** Notes for the caller, besides the result. */
  readonly notes: readonly string[]
}

/**
 * Makes a call and puts the questions that it finds to the person at the client, one after the other, as long as the call
 * waits. A question without an answer by then is in the result, and its form stays open.
 */
export async function callWithForms(
  { makeCall, engine, signal, mcpReq }: FormCall,
  place: FormPlace,
  forms: OpenForms,
): Promise<Elicited> {
  const notes: string[] = []
  const tried = new Set<string>()
  const put = (params: object, until: AbortSignal) =>
    mcpReq.send(
      { method: 'elicitation/create', params: { ...params } },
      { signal: until, timeout: MAX_TIMER_MS },
    )
  const before = forms.count
  const startedAt = performance.now()
  let answer = await makeCall()
  const sessionId = sessionOf(answer.result)
  for (;;) {
    const { looked, result } = answer
    const deadline = performance.now() + (looked?.leftMs ?? 0)
    // A form that was put before this wait may be answered by now.
    const seen = await seenByPerson(engine, place, looked?.asked ?? [])
    const open = seen.filter(({ id }) => !tried.has(id))
    const asked =
      open.find(({ id }) => forms.putSince(id, before) !== undefined) ??
      (await nextToPut(engine, place, open))
    const leftMs = Math.max(0, deadline - performance.now())
    if (!asked || leftMs === 0 || result.isError || signal.aborted) return { result, notes }
    const outcome = forms.putSince(asked.id, before) ?? forms.put(place, asked, put)
    const over = await withTimeout(outcome, leftMs, undefined, signal)
    if (!over) return { result, notes }
    tried.add(asked.id)
    if (over.note !== undefined) notes.push(over.note)
    answer = await makeCall({ again: { sessionId }, waitedMs: performance.now() - startedAt })
  }
}

/** The oldest question, if all can be put as forms. Otherwise the model must see the result at once. */
export async function nextToPut(
  engine: Engine,
  place: FormPlace,
  open: readonly PendingQuestion[],
): Promise<PendingQuestion | undefined> {
  for (const asked of open) if (!(await place.takes(engine, asked))) return undefined
  return open[0]
}

/** The session of a call's result, if there is one. */
export function sessionOf({ structuredContent }: ToolResult): string | undefined {
  const sessionId = structuredContent?.['sessionId']
  return typeof sessionId === 'string' ? sessionId : undefined
}
