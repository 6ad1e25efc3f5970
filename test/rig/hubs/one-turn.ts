/** An engine with one session and one turn of it, for tests of how its events reach a caller. */
import type { Engine } from '../../../src/engine/engine.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import type { Page } from '../../../src/sessions/record/read-events.ts'
import { aSession } from '../../contracts/rows.ts'

const session = aSession({ answerers: 'person' })
export const CHAT_INPUT = { session_id: session.id, prompt: 'hello' }

const stored = (seq: number, event: SessionEvent) => ({ seq, turn: 1, at: 5, event })
const TURN: Page = {
  events: [
    stored(1, { type: 'prompt.accepted', promptId: 'p1', content: 'hello' }),
    stored(2, { type: 'text', text: 'Hi.' }),
    stored(3, { type: 'turn.ended', result: 'Hi.' } as SessionEvent),
  ],
}

/** `claudecode.chat` sends the prompt, and the turn happens after `before`. */
export function oneTurnEngine(before: Promise<void> = Promise.resolve()): Engine {
  const turn = { sessionId: session.id, number: 1, promptId: 'p1', firstSeq: 1, lastSeq: 3 }
  async function* followEvents() {
    await before
    yield TURN
  }
  const engine = {
    getSession: async () => session,
    startTurn: async () => ({ promptId: 'p1', queued: false }),
    readTurn: async () => ({ session, turn, events: [] }),
    tree: async () => [],
    followEvents,
  }
  return engine as unknown as Engine
}
