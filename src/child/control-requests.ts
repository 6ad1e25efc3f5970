import { randomUUID } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { ChildLine } from './child-line.ts'
import type { ChildMessage } from './child-message.ts'
import { type ControlRequest, controlRequest } from './control.ts'

type ControlResponse = Extract<ChildLine, { type: 'control_response' }>['response']

/** Our own questions to the child, matched with its answers by id. They do not outlive the hub: ask again. */
export class ControlRequests {
  readonly #put: (message: ChildMessage) => Promise<void>
  readonly #waiting = new Map<string, (response: ControlResponse) => void>()

  constructor(put: (message: ChildMessage) => Promise<void>) {
    this.#put = put
  }

  /** Waits for the answer; the child may be gone before it comes, so a signal is a must. */
  async send(request: ControlRequest, signal: AbortSignal): Promise<unknown> {
    const requestId = randomUUID()
    const answer = this.#answerTo(requestId, signal) // listens before it asks
    await Promise.race([this.#put(controlRequest(requestId, request)), answer])
    const response = await answer
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

  #answerTo(requestId: string, signal: AbortSignal): Promise<ControlResponse> {
    return new Promise<ControlResponse>((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(requestId)
        reject(
          signal.reason instanceof Error
            ? signal.reason
            : new AppError('cli_failed', 'The wait for Claude Code was ended.'),
        )
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.set(requestId, (response) => {
        signal.removeEventListener('abort', abort)
        this.#waiting.delete(requestId)
        resolve(response)
      })
    })
  }
}
