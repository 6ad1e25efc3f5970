import type { ApprovalId } from '../../base/ids.ts'
import type { ChildMessage } from '../lines/message-line.ts'
import {
  afterCallAnswer,
  controlRequest,
  decisionAnswer,
  errorAnswer,
  hookAnswer,
  userMessage,
} from '../lines/stdin-messages.ts'
import { isCutOff, noteFor, type RunState } from './run-state.ts'

/** A message that the child must get. It has the same key for as long as it is owed. */
export interface Owed {
  readonly key: string
  readonly message: ChildMessage
  /** The question that it answers, if any. */
  readonly approvalId?: ApprovalId | undefined
}

/**
 * All messages that the child is owed by the stored events. After each commit the hub sends those that it has not sent yet; a
 * new hub has sent nothing, so adoption is the same step. Sending twice is safe: the CLI drops repeats of an id.
 */
export function owedTo(state: RunState): Owed[] {
  const owed: Owed[] = []
  for (const [id, prompt] of state.prompts) owed.push({ key: `prompt ${id}`, message: userMessage(prompt) })
  for (const [id, { opinion, toolName, verdict }] of state.hooks)
    owed.push({
      key: `hook ${id}`,
      message: hookAnswer(id, isCutOff(state, toolName) ? 'cut off' : opinion, verdict),
    })
  for (const [id, call] of state.returned)
    owed.push({ key: `after ${id}`, message: afterCallAnswer(call, noteFor(state, call.toolUseId)) })
  for (const { opened, decision } of state.approvals.values()) {
    const { approvalId, requestId, carrier } = opened
    // A question that was asked by a tool call gets its answer as the result of that call, not here.
    if (decision && (carrier ?? 'control') === 'control')
      owed.push({ key: `answer ${requestId}`, message: decisionAnswer(requestId, decision), approvalId })
  }
  for (const id of state.unknown)
    owed.push({ key: `error ${id}`, message: errorAnswer(id, 'Plexus does not know this request.') })
  if (state.damage > 0) {
    // The child may wait for ever for an answer to a question that we never saw.
    const key = `damage ${state.unread}`
    owed.push({ key, message: controlRequest(`plexus-${key.replace(' ', '-')}`, { subtype: 'interrupt' }) })
  }
  return owed
}

/**
 * Remembers the messages that this hub has sent, so that it sends each owed message once. A message that could not be sent
 * (the disk is full) is retried with the next call. Calls may overlap: each checks again before every message, so the
 * messages are sent in the order in which they are owed.
 */
export class Deliveries {
  readonly #put: (message: ChildMessage, approvalId?: ApprovalId) => Promise<void>
  readonly #sent = new Set<string>()
  #sending = 0

  constructor(put: (message: ChildMessage, approvalId?: ApprovalId) => Promise<void>) {
    this.#put = put
  }

  async deliver(state: RunState): Promise<void> {
    const owed = owedTo(state)
    const keys = new Set(owed.map(({ key }) => key))
    for (const key of this.#sent) if (!keys.has(key)) this.#sent.delete(key) // owed no more
    for (const { key, message, approvalId } of owed) {
      if (this.#sent.has(key)) continue
      this.#sent.add(key)
      this.#sending += 1
      try {
        await this.#put(message, approvalId)
      } catch (error) {
        this.#sent.delete(key)
        throw error
      } finally {
        this.#sending -= 1
      }
    }
  }

  /** Whether an owed message is not sent yet: the child may be waiting for it. */
  hasUndelivered(state: RunState): boolean {
    return this.#sending > 0 || owedTo(state).some(({ key }) => !this.#sent.has(key))
  }
}
