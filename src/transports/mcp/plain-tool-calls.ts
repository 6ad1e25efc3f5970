import type { CallerMemory } from '../../api/operation/caller-memory.ts'
import type { CallEvent, OperationCall } from '../../api/operation/operation-call.ts'
import type { HubAnswer } from '../../hub-client/hub-responses.ts'
import { keepAlive, progressOf } from './progress.ts'

export interface PlainCallsParts {
  /** The offered tools, and whether each may wait. */
  readonly tools: ReadonlyMap<string, { readonly waits: boolean }>
  readonly memory: CallerMemory
  readonly call: (
    call: Pick<OperationCall, 'tool' | 'arguments' | 'known'>,
    options: { readonly signal: AbortSignal; readonly onEvent: (event: CallEvent) => void },
  ) => Promise<HubAnswer>
  /** The result for a call that failed without an answer of the hub, as JSON. */
  readonly failed: (tool: string, error: unknown) => Promise<string>
  readonly progressMs: number
  readonly send: (message: object) => Promise<void>
  readonly sendText: (json: string) => Promise<void>
}

/**
 * Tool calls of clients without forms, which most clients are: each call is one request to the hub, whose result is passed on
 * without parsing. Any unusual message is left to the full server.
 */
export class PlainToolCalls {
  readonly #parts: PlainCallsParts
  readonly #open = new Map<string | number, AbortController>()

  constructor(parts: PlainCallsParts) {
    this.#parts = parts
  }

  /** Returns whether it takes the message: a tool call, or the cancellation of a call that it has taken. */
  take(message: unknown, isPlain: boolean): boolean {
    const cancelled = cancelledIn(message)
    if (cancelled !== undefined) {
      const call = this.#open.get(cancelled)
      call?.abort()
      return call !== undefined
    }
    const asked = isPlain ? toolCallIn(message) : undefined
    const tool = asked && this.#parts.tools.get(asked.tool)
    if (!asked || !tool) return false
    void this.#answer(asked, tool.waits)
    return true
  }

  async #answer({ id, tool, arguments: given, progressToken }: PlainCall, waits: boolean): Promise<void> {
    const { memory, call, failed, progressMs, send, sendText } = this.#parts
    const cancel = new AbortController()
    this.#open.set(id, cancel)
    const say = waits
      ? progressOf({ _meta: { progressToken }, notify: (message) => send({ jsonrpc: '2.0', ...message }) })
      : undefined
    const alive = say && (await keepAlive(say, progressMs))
    const onEvent = (event: CallEvent) => {
      if (event.type === 'begun') memory.note({ working: [event.sessionId] })
      if (event.type === 'text') void say?.(event.text)
    }
    try {
      const known = memory.known
      const answer = await call({ tool, arguments: given, known }, { signal: cancel.signal, onEvent })
      memory.note(answer.memory)
      if (cancel.signal.aborted) return
      memory.noteResult(answer.memory)
      await sendText(response(id, answer.resultText))
    } catch (error) {
      if (!cancel.signal.aborted) await sendText(response(id, await failed(tool, error)))
    } finally {
      clearInterval(alive)
      if (this.#open.get(id) === cancel) this.#open.delete(id)
    }
  }
}

interface PlainCall {
  readonly id: string | number
  readonly tool: string
  readonly arguments: object | undefined
  readonly progressToken: string | number | undefined
}

function toolCallIn(message: unknown): PlainCall | undefined {
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || message['method'] !== 'tools/call')
    return undefined
  const { id, params } = message
  if (!isId(id) || !isObject(params)) return undefined
  const { name, arguments: given, _meta: meta = {}, ...unusual } = params
  if (!isObject(meta) || Object.keys(unusual).length > 0 || typeof name !== 'string') return undefined
  const { progressToken, ...more } = meta
  if (Object.keys(more).length > 0 || (progressToken !== undefined && !isId(progressToken))) return undefined
  if (given !== undefined && !isObject(given)) return undefined
  return { id, tool: name, arguments: given, progressToken }
}

function cancelledIn(message: unknown): string | number | undefined {
  if (!isObject(message) || message['method'] !== 'notifications/cancelled') return undefined
  const id = isObject(message['params']) ? message['params']['requestId'] : undefined
  return isId(id) ? id : undefined
}

function response(id: string | number, resultText: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultText}}`
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
