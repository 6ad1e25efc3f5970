import type { ServerContext } from '@modelcontextprotocol/server'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Context, Operation } from '../../api/operation/operation.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { FOR_EVER_MS, type OpenForms } from './open-forms.ts'
import type { FormPlace } from './form-place.ts'
import type { Watched } from './watched-engine.ts'

export interface Call {
  readonly operation: Operation
  readonly given: unknown
  readonly context: Context
  readonly watched: Watched
  readonly mcpReq: ServerContext['mcpReq']
}

export interface Elicited {
  readonly result: object
  /** What the caller should know besides. */
  readonly notes: readonly string[]
}

/**
 * Makes a call and puts the questions that it comes upon to the client's person, one after the other, for as long as the
 * call waits. What is not answered by then is in its result, and its form stays open.
 */
export async function callWithForms(
  { operation, given, context, watched, mcpReq }: Call,
  place: FormPlace,
  forms: OpenForms,
): Promise<Elicited> {
  const notes: string[] = []
  const tried = new Set<string>()
  const put = (params: object, signal: AbortSignal) =>
    mcpReq.send({ method: 'elicitation/create', params: { ...params } }, { signal, timeout: FOR_EVER_MS })
  const before = forms.count
  let result = await operation.call(context, given)
  const sessionId = sessionOf(result)
  for (;;) {
    // One that was put while nobody waited for it may be answered by now.
    const open = untried(watched, tried)
    const asked =
      open.find(({ id }) => forms.putSince(id, before) !== undefined) ??
      (await nextToPut(context, place, open))
    if (!asked || watched.leftMs() === 0 || context.who.signal?.aborted) return { result, notes }
    const outcome = forms.putSince(asked.id, before) ?? forms.put(place, asked, put)
    const over = await first(outcome, watched.leftMs(), context.who.signal)
    if (!over) return { result, notes }
    tried.add(asked.id)
    if (over.note !== undefined) notes.push(over.note)
    watched.forget()
    result = await operation.again(context, given, sessionId)
  }
}

/** The oldest, if all of them are put as forms: for one that is the model's, or that no form is put for, nobody waits. */
export async function nextToPut(
  { engine }: Context,
  place: FormPlace,
  open: readonly PendingQuestion[],
): Promise<PendingQuestion | undefined> {
  for (const asked of open) if (!(await place.takes(engine, asked))) return undefined
  return open[0]
}

function untried(watched: Watched, tried: ReadonlySet<string>): readonly PendingQuestion[] {
  return watched.asked().filter(({ id }) => !tried.has(id))
}

const OfSession = z.looseObject({ sessionId: z.string() })

/** The session that a call is about, if it is one. */
export function sessionOf(result: object): string | undefined {
  return OfSession.safeParse(result).data?.sessionId
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
