/** The real writer of one session over a store in memory, and how many calls listen for its steps. */
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { Doorbells } from '../../../src/sessions/record/session-doorbells.ts'
import { SessionWriter } from '../../../src/sessions/writing/session-writer.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession } from '../../contracts/rows.ts'

export class CountedDoorbells extends Doorbells {
  listeners = 0

  override listen(...sessionIds: readonly string[]): ReturnType<Doorbells['listen']> {
    const { doorbell, stop } = super.listen(...sessionIds)
    this.listeners++
    return {
      doorbell,
      stop: () => {
        this.listeners--
        stop()
      },
    }
  }
}

interface MemoryWriter {
  readonly store: Store
  readonly writer: SessionWriter
  readonly listeners: () => number
  readonly events: () => Promise<SessionEvent[]>
}

export async function memoryWriter(...before: readonly SessionEvent[]): Promise<MemoryWriter> {
  const store = await openMemoryStore()
  const session = aSession()
  await store.sessions.create(session)
  const doorbells = new CountedDoorbells()
  const writer = await SessionWriter.open({ store, doorbells, now: () => 5 }, session)
  await writer.append(before)
  const events = async () => (await store.events.read(session.id, 0, 1_000)).map(({ event }) => event)
  return { store, writer, listeners: () => doorbells.listeners, events }
}
