import type { ModelRequest } from './model-request.ts'
import type { Reply, Scenario } from './scenario.ts'
import { say } from './scenario.ts'

/** Keeps the position in the script of each conversation. */
export class Conversations {
  readonly #scenario: Scenario
  readonly #taken = new Map<string, number>()

  constructor(scenario: Scenario) {
    this.#scenario = scenario
  }

  /** Takes the next reply of the conversation that a main or agent request belongs to. */
  next(request: ModelRequest): Reply {
    const { main, agents } = this.#scenario
    const script = request.kind === 'main' ? main : (agents?.[request.agent ?? ''] ?? [])
    if (typeof script === 'function') return script(request)
    const conversation = JSON.stringify([request.sessionId, request.agentId])
    const position = this.#taken.get(conversation) ?? 0
    this.#taken.set(conversation, position + 1)
    return script[position] ?? say('done')
  }
}
