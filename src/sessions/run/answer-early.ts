import type { Deliveries } from '../../child/state/owed-messages.ts'
import { evolve, noteFor, type RunState } from '../../child/state/run-state.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { RunContext } from './run-context.ts'

/**
 * Gives the child its answer to these events before they are stored, if that decides nothing: after `ask` it asks, and after a
 * call without a note it continues as it would without us. So they can be stored with what the child prints next, and the child
 * waits for no commit. If the hub dies before that, the next hub reads the lines again and answers again; the CLI drops repeats.
 * False if they must be stored first, also when the message could not be sent: then the record makes sure that it is.
 */
export async function answerEarly(
  deliveries: Pick<Deliveries, 'deliver'>,
  state: RunState,
  events: readonly SessionEvent[],
  { asksInOutput }: Pick<RunContext, 'asksInOutput'>,
): Promise<boolean> {
  const [event] = events
  if (!event || events.length > 1 || !decidesNothing(state, event, asksInOutput())) return false
  try {
    await deliveries.deliver(evolve(state, event))
    return true
  } catch {
    return false
  }
}

function decidesNothing(state: RunState, event: SessionEvent, asksInOutput: boolean): boolean {
  if (event.type === 'tool.returned') return noteFor(state, event.toolUseId) === undefined
  return asksInOutput && event.type === 'tool.seen' && event.opinion === 'ask' && event.answer === undefined
}
