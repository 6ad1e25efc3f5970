import { costFrom, type StoredCost } from '../spending/session-cost.ts'
import { initialSessionState, type SessionState } from './session-state.ts'

/**
 * A session may have a million events, and a new hub must know its state at once. So the state is stored whenever nothing is
 * open (mostly at the end of a turn), when it is small, and only the events after this checkpoint are folded.
 */
export type QuietState = Partial<Omit<SessionState, 'open' | 'cost'>> & { readonly cost?: StoredCost }

export function checkpointOf(state: SessionState): QuietState | undefined {
  if (!isQuiet(state)) return undefined
  const { open: _, ...rest } = state
  return rest
}

/** Fields that the checkpoint does not have get their initial values. */
export function stateFrom(checkpoint: QuietState | undefined): SessionState {
  return { ...initialSessionState, ...checkpoint, cost: costFrom(checkpoint?.cost) }
}

function isQuiet({ open, inTurn, agents, shells }: SessionState): boolean {
  if (inTurn || agents.length > 0 || shells.length > 0 || open.unknown.length > 0) return false
  if (
    open.prompts.size +
      open.hooks.size +
      open.returned.size +
      open.approvals.size +
      open.seen.size +
      open.unseen.size >
    0
  )
    return false
  // A run that printed unreadable lines, or cannot reach us, gets a checkpoint only after its end: that is rare, and it counts.
  if (open.cutOff || open.damage > 0 || open.unread > 0 || open.unguarded > 0) return false
  return !open.echoed
}
