import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../src/base/errors.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { nodeIdOf } from '../../../src/base/ids.ts'
import { Doorbells } from '../../../src/sessions/record/session-doorbells.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { evolve, initialSessionState, statusOf } from '../../../src/sessions/record/session-state.ts'
import { SessionWriter } from '../../../src/sessions/record/session-writer.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { aSession } from '../../contracts/rows.ts'
import { cuts, histories, inBatches } from '../../rig/cli/event-stories.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { type StoreKind, stores } from '../../rig/hubs/sessions.ts'

let sessions = 0

test.each(stores)(
  'I6 I8: any history in any batches on %s folds the same live, after a reopening and from its first event',
  async (kind) => {
    const store = await openStore(kind)
    await fc.assert(
      fc.asyncProperty(histories, cuts, fc.array(fc.boolean()), async (history, cut, reopens) => {
        const session = aSession({ id: `s${++sessions}` })
        await store.sessions.create(session)
        const books = { store, doorbells: new Doorbells(), now: () => 5 }
        let writer = await SessionWriter.open(books, session)
        for (const [index, batch] of inBatches(ofSession(session, history), cut).entries()) {
          const before = writer.state
          const stored = await writer.append(batch).then(() => true, isRefused)
          // Somebody settles what is settled: then nothing of the batch has happened.
          expect(stored || writer.state === before).toBe(true)
          if (reopens[index]) writer = await SessionWriter.open(books, await rowOf(store, session))
        }
        await expectSameEverywhere(store, writer)
        await expectTurnsAsFolded(store, writer)
      }),
      { numRuns: kind === 'memory' ? 300 : 100 },
    )
  },
)

async function expectSameEverywhere(store: Store, writer: SessionWriter): Promise<void> {
  const { session, state } = writer
  const row = await rowOf(store, session)
  const stored = await store.events.read(session.id, 0, 10_000)
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1))
  expect(row).toEqual(session)
  expect(row).toMatchObject({ status: statusOf(state), turn: state.turn, lastSeq: stored.length })
  expect(row.costUsd).toBe(state.cost.usd)
  expect(stored.reduce((folded, { event }) => evolve(folded, event), initialSessionState)).toEqual(state)
  const again = await SessionWriter.open({ store, doorbells: new Doorbells(), now: () => 6 }, row)
  expect(again.state).toEqual(state)
  // Only what is pending on record waits for somebody, and the other way round.
  const pending = (await store.approvals.pending()).filter(({ sessionId }) => sessionId === session.id)
  expect(pending.length > 0).toBe(row.status === 'waiting')
}

async function expectTurnsAsFolded(store: Store, { session, state }: SessionWriter): Promise<void> {
  const stored = await store.events.read(session.id, 0, 10_000)
  const turns = await store.turns.list(session.id)
  expect(turns.map(({ number }) => number)).toEqual(Array.from({ length: state.turn }, (_, at) => at + 1))
  const ended = turns.filter(({ outcome }) => outcome !== undefined)
  expect(turns.length - ended.length).toBe(state.inTurn ? 1 : 0)
  for (const { number, firstSeq, lastSeq = firstSeq } of turns) {
    const places = stored.filter(({ turn }) => turn === number)
    expect(places[0]?.seq).toBe(firstSeq)
    expect(places.some(({ seq }) => seq === lastSeq)).toBe(true)
  }
  // One node for each turn that ended, in a row.
  const nodes = await store.nodes.ofSession(session.id)
  expect(nodes.map(({ turn }) => turn)).toEqual(ended.map(({ number }) => number))
  expect(nodes.map(({ id }) => id)).toEqual(ended.map(({ number }) => nodeIdOf(session.id, number)))
  expect(nodes.map(({ parentId }) => parentId)).toEqual(
    [undefined, ...nodes.map(({ id }) => id)].slice(0, nodes.length),
  )
  expect(session.headNode).toBe(nodes.at(-1)?.id)
}

function isRefused(error: unknown): false {
  if (error instanceof AppError && /already_settled|not_found/.test(error.code)) return false
  throw error
}

/** Ids of approvals are unique in a store. */
function ofSession({ id }: Session, history: readonly SessionEvent[]): SessionEvent[] {
  return history.map((event) =>
    'approvalId' in event ? { ...event, approvalId: `${id}-${event.approvalId}` } : event,
  )
}

async function rowOf(store: Store, { id }: Session): Promise<Session> {
  const row = await store.sessions.get(id)
  if (!row) throw new Error('no such session')
  return row
}

async function openStore(kind: StoreKind): Promise<Store> {
  const store =
    kind === 'memory'
      ? await openMemoryStore()
      : await openSqliteStore(join(await temporaryFolder(), 'plexus.db'))
  onTestFinished(() => store.close())
  return store
}
