import { randomUUID } from 'node:crypto'
import { AppError } from '../../base/errors.ts'
import type { ChildLine } from '../lines/child-line.ts'
import type { ChildMessage } from '../lines/message-line.ts'
import { type ControlRequest, controlRequest } from '../lines/stdin-messages.ts'

type ControlResponse = Extract<ChildLine, { type: 'control_response' }>['response']

/** Our own requests to the child, matched with its responses by id. They do not outlive the hub: the next hub sends them again. */
export class ControlRequests {
  readonly #put: (message: ChildMessage) => Promise<void>
  readonly #waiting = new Map<string, (response: ControlResponse) => void>()

  constructor(put: (message: ChildMessage) => Promise<void>) {
    this.#put = put
  }

  /** Waits for the response, at most some seconds; `over` aborts when no response can come. */
  async request(request: ControlRequest, over: AbortSignal): Promise<unknown> {
    const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_SECONDS * 1_000)
    try {
      return await this.send(request, AbortSignal.any([timeout, over]))
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      const failure = timeout.aborted
        ? `did not answer within ${ANSWER_TIMEOUT_SECONDS} s`
        : 'ended before it answered'
      throw new AppError('cli_failed', `Claude Code ${failure}; check the session and try again.`, { cause })
    }
  }

  /** Waits for the response. The signal is required, because the child may end before it responds. */
  async send(request: ControlRequest, signal: AbortSignal): Promise<unknown> {
    const response = await this.#ask(request, signal)
    if (response.subtype === 'success') return response.response
    throw new AppError(
      'cli_failed',
      `Claude Code refused ${request.subtype}: ${response.error ?? 'no reason given'}.`,
    )
  }

  /** Must be called with every line that the child prints. */
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
        this.#waiting.set(requestId, resolve) // before the request is sent
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

const ANSWER_TIMEOUT_SECONDS = 10
