import { randomUUID } from 'node:crypto'
import { AppError } from '../../base/errors.ts'
import type { ChildLine } from '../lines/child-line.ts'
import type { ChildMessage } from '../lines/message-line.ts'
import { type ControlRequest, controlRequest } from '../lines/stdin-messages.ts'

type ControlResponse = Extract<ChildLine, { type: 'control_response' }>['response']

/** Our own questions to the child, matched with its answers by id. They do not outlive the hub: ask again. */
export class ControlRequests {
  readonly #put: (message: ChildMessage) => Promise<void>
  readonly #waiting = new Map<string, (response: ControlResponse) => void>()

  constructor(put: (message: ChildMessage) => Promise<void>) {
    this.#put = put
  }

  /** Waits for the answer, for some seconds at most; `over` aborts when none can come. */
  async request(request: ControlRequest, over: AbortSignal): Promise<unknown> {
    const late = AbortSignal.timeout(ANSWER_MS)
    try {
      return await this.send(request, AbortSignal.any([late, over]))
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      const what = late.aborted ? `did not answer within ${ANSWER_MS / 1_000} s` : 'ended before it answered'
      throw new AppError('cli_failed', `Claude Code ${what}; look at the session and try again.`, { cause })
    }
  }

  /** Waits for the answer; the child may be gone before it comes, so a signal is a must. */
  async send(request: ControlRequest, signal: AbortSignal): Promise<unknown> {
    const response = await this.#ask(request, signal)
    if (response.subtype === 'success') return response.response
    throw new AppError(
      'cli_failed',
      `Claude Code refused ${request.subtype}: ${response.error ?? 'no reason given'}.`,
    )
  }

  /** To be told every line that the child prints. */
  take(line: ChildLine): void {
    if (line.type === 'control_response') this.#waiting.get(line.response.request_id)?.(line.response)
  }

  async #ask(request: ControlRequest, signal: AbortSignal): Promise<ControlResponse> {
    if (signal.aborted) throw reasonOf(signal)
    const requestId = randomUUID()
    let abort: (() => void) | undefined
    try {
      return await new Promise<ControlResponse>((resolve, reject) => {
        abort = () => reject(reasonOf(signal))
        signal.addEventListener('abort', abort)
        this.#waiting.set(requestId, resolve) // listens before it asks
        this.#put(controlRequest(requestId, request)).catch(reject)
      })
    } finally {
      if (abort) signal.removeEventListener('abort', abort)
      this.#waiting.delete(requestId)
    }
  }
}

function reasonOf(signal: AbortSignal): Error {
  if (signal.reason instanceof Error) return signal.reason
  return new AppError('cli_failed', 'The wait for Claude Code was ended.')
}

const ANSWER_MS = 10_000
