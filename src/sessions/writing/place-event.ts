import { nodeIdOf } from '../../base/ids.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { evolve } from '../record/evolve-session.ts'
import type { Ledger } from './ledger.ts'
import { withTitle } from './session-row.ts'
import { titleOf, turnOf } from './turn-rows.ts'

/** The ledger after one event, which gets this seq. */
export function placeEvent(
  ledger: Ledger,
  event: SessionEvent,
  { at, seq, evolveNext }: { at: number; seq: number; evolveNext: typeof evolve },
): Ledger {
  // The CLI also echoes what its commands print, under ids of its own.
  const echoed = event.type === 'prompt.echoed' && ledger.state.open.prompts.has(event.promptId)
  const state = evolveNext(ledger.state, event)
  const began = state.turn > ledger.state.turn
  const ended = ledger.state.inTurn && !state.inTurn
  const next: Ledger = {
    ...ledger,
    session: withTitle(ledger, event),
    state,
    title: began ? titleOf(event) : ledger.title,
    turn: began ? turnOf(ledger.session.id, state.turn, event, seq) : ledger.turn,
    run: event.type === 'run.ended' && ledger.run ? { ...ledger.run, endedAt: at } : ledger.run,
  }
  if (echoed && next.turn && !next.turn.promptId)
    return { ...next, turn: { ...next.turn, promptId: event.promptId } }
  if (!ended || !next.turn || state.outcome === 'idle') return next
  const { assistantUuid, outcome } = state
  const turn = { ...next.turn, lastSeq: seq, outcome, assistantUuid }
  return { ...next, turn, session: { ...next.session, headNode: nodeIdOf(next.session.id, turn.number) } }
}
