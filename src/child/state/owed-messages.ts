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

/** A message that the child must get. The same thing has the same key for as long as it is owed. */
export interface Owed {
  readonly key: string
  readonly message: ChildMessage
  /** The question that it answers, if it does. */
  readonly approvalId?: string | undefined
}

/**
 * All that the child is owed by what is on record. After each commit the hub puts what it has not put yet; a new
 * hub has put nothing, so adoption is the same step. Putting twice is safe: the CLI drops repeats of an id.
 */
export function owedTo(state: RunState): Owed[] {
  const owed: Owed[] = []
  for (const [id, prompt] of state.prompts) owed.push({ key: `prompt ${id}`, message: userMessage(prompt) })
  for (const [id, { opinion, toolName }] of state.hooks)
    owed.push({
      key: `hook ${id}`,
      message: hookAnswer(id, isCutOff(state, toolName) ? 'cut off' : opinion),
    })
  for (const [id, call] of state.returned)
    owed.push({ key: `after ${id}`, message: afterCallAnswer(call, noteFor(state, call.toolUseId)) })
  for (const { opened, decision } of state.approvals.values()) {
    const { approvalId, requestId, carrier } = opened
    // Who asked by a tool call gets the answer as its result, not here.
    if (decision && carrier !== 'mcp')
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
 * Remembers what this hub has put, so that each owed message is put once in its life. What could not be put (the
 * disk is full) is tried again with the next call. Calls may overlap: each looks anew before every message, so
 * the order stays that of the debt.
 */
export class Deliveries {
  readonly #put: (message: ChildMessage, approvalId?: string) => Promise<void>
  readonly #done = new Set<string>()
  #putting = 0

  constructor(put: (message: ChildMessage, approvalId?: string) => Promise<void>) {
    this.#put = put
  }

  async deliver(state: RunState): Promise<void> {
    const owed = owedTo(state)
    const keys = new Set(owed.map(({ key }) => key))
    for (const key of this.#done) if (!keys.has(key)) this.#done.delete(key) // owed no more
    for (const { key, message, approvalId } of owed) {
      if (this.#done.has(key)) continue
      this.#done.add(key)
      this.#putting += 1
      try {
        await this.#put(message, approvalId)
      } catch (error) {
        this.#done.delete(key)
        throw error
      } finally {
        this.#putting -= 1
      }
    }
  }

  /** Whether something is owed that is not put yet: the child may be waiting for it. */
  hasUndelivered(state: RunState): boolean {
    return this.#putting > 0 || owedTo(state).some(({ key }) => !this.#done.has(key))
  }
}
