import type { ServerContext } from '@modelcontextprotocol/server'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationAnswer, OperationCall, ToolResult } from '../../api/operation/operation-call.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Engine, PendingQuestion } from '../../engine/engine.ts'
import type { FormPlace } from './form-place.ts'
import { FOR_EVER_MS, type OpenForms } from './open-forms.ts'

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
  /** What the caller should know besides. */
  readonly notes: readonly string[]
}

/**
 * Makes a call and puts the questions that it comes upon to the client's person, one after the other, for as long as the
 * call waits. What is not answered by then is in its result, and its form stays open.
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
      { signal: until, timeout: FOR_EVER_MS },
    )
  const before = forms.count
  const startedAt = performance.now()
  let answer = await makeCall()
  const sessionId = sessionOf(answer.result)
  for (;;) {
    const { looked, result } = answer
    const deadline = performance.now() + (looked?.leftMs ?? 0)
    // One that was put while nobody waited for it may be answered by now.
    const open = looked?.asked.filter(({ id }) => !tried.has(id)) ?? []
    const asked =
      open.find(({ id }) => forms.putSince(id, before) !== undefined) ??
      (await nextToPut(engine, place, open))
    const leftMs = Math.max(0, deadline - performance.now())
    if (!asked || leftMs === 0 || result.isError || signal.aborted) return { result, notes }
    const outcome = forms.putSince(asked.id, before) ?? forms.put(place, asked, put)
    const over = await first(outcome, leftMs, signal)
    if (!over) return { result, notes }
    tried.add(asked.id)
    if (over.note !== undefined) notes.push(over.note)
    answer = await makeCall({ again: { sessionId }, waitedMs: performance.now() - startedAt })
  }
}

/** The oldest, if all of them are put as forms: for one that is the model's, or that no form is put for, nobody waits. */
export async function nextToPut(
  engine: Engine,
  place: FormPlace,
  open: readonly PendingQuestion[],
): Promise<PendingQuestion | undefined> {
  for (const asked of open) if (!(await place.takes(engine, asked))) return undefined
  return open[0]
}

/** The session that a call is about, if it is one. */
export function sessionOf({ structuredContent }: ToolResult): string | undefined {
  const sessionId = structuredContent?.['sessionId']
  return typeof sessionId === 'string' ? sessionId : undefined
}

/** What came of it, or undefined when time is up. */
async function first<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | undefined> {
  const timer = new AbortController()
  const end = AbortSignal.any([timer.signal, ...(signal ? [signal] : [])])
  try {
    return await Promise.race([promise, sleep(ms, undefined, { signal: end }).catch(() => undefined)])
  } finally {
    timer.abort()
  }
}
