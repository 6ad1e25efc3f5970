import { asSessionId } from '../tools/ids.ts'
import { Desk } from '../../../src/approvals/desk.ts'
import type { DeskSession, DeskSessions, Settled } from '../../../src/approvals/desk-sessions.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { Doorbells } from '../../../src/sessions/record/session-doorbells.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { SessionWriter } from '../../../src/sessions/writing/session-writer.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import type { FakeClock } from '../tools/fake-clock.ts'

/** A session's writer and a desk, without a child: what the child gets is what is owed by the record. */
export async function deskFor(store: Store, session: Session, clock?: FakeClock) {
  await store.sessions.create(session)
  const doorbells = new Doorbells()
  const stored: ((events: readonly SessionEvent[]) => void)[] = []
  const onStored = (_: Session, events: readonly SessionEvent[]) =>
    stored.forEach((listener) => listener(events))
  const now = () => clock?.now() ?? Date.now()
  const writer = await SessionWriter.open({ store, doorbells, now, onStored, flood: 'off' }, session)
  const errors: unknown[] = []
  const desk = new Desk({
    approvals: store.approvals,
    sessions: sessionsWith((_, settled) => writer.append([{ type: 'approval.settled', ...settled }])),
    onError: (error) => errors.push(error),
    clock,
  })
  return { doorbells, writer, desk, stored, errors }
}

/** A session that remembers anything and takes notes. */
export const willing: DeskSession = {
  askedDespite: () => undefined,
  scopePlace: {
    sessionId: asSessionId('s1'),
    topmostId: asSessionId('s0'),
    workingDirectory: '/project',
    turn: 1,
  },
  hubTime: () => 1_000,
  forbiddenBy: () => undefined,
  takesNotes: true,
}

/** Such sessions, for a desk: what is settled goes to `settle`. */
export function sessionsWith(settle: (sessionId: string, settled: Settled) => Promise<void>): DeskSessions {
  return {
    questionsOf: async () => willing,
    settle: async (answers) => {
      for (const { sessionId, settled } of answers) await settle(sessionId, settled)
    },
    ring: () => {},
  }
}
