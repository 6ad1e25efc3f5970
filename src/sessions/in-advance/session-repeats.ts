import type { PriorDecision } from '../../child/lines/request-to-events.ts'
import type { ToolCall } from '../../child/policy/hook-opinion.ts'
import { cwdOf } from '../../child/state/run-state.ts'
import { callKey } from '../asked/asked-calls.ts'
import type { SessionState } from '../record/session-state.ts'

/** The calls of a session that repeat a call which was denied without a reason: they are denied, and nobody is asked. */
export class SessionRepeats {
  readonly #state: () => Pick<SessionState, 'asked' | 'open'>
  readonly #windowMs: () => number
  readonly #now: () => number

  constructor(
    state: () => Pick<SessionState, 'asked' | 'open'>,
    windowMs: () => number,
    now: () => number = Date.now,
  ) {
    this.#state = state
    this.#windowMs = windowMs
    this.#now = now
  }

  /** Whether such a denial could still count. */
  get exist(): boolean {
    return this.#state().asked.denied.length > 0
  }

  /** The denial that such a call repeats. A clock that was set back makes it no longer than the setting says. */
  denialOf(call: ToolCall): PriorDecision | undefined {
    const { asked, open } = this.#state()
    const { toolName, input, toolUseId } = call
    if (asked.denied.length === 0 || typeof input !== 'object' || input === null) return undefined
    const key = callKey({ toolName, input, cwd: call.cwd ?? cwdOf(open, toolUseId) })
    const denied = asked.denied.find((one) => one.key === key)
    const leftMs = (denied?.until ?? 0) - this.#now()
    const windowMs = this.#windowMs()
    if (!denied || leftMs <= 0 || leftMs > windowMs) return undefined
    const seconds = Math.max(1, Math.round((windowMs - leftMs) / 1_000))
    return { repeats: denied.approvalId, secondsAgo: seconds }
  }
}
