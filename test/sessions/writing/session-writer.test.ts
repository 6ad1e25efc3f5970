import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../src/base/errors.ts'
import { lineage } from '../../../src/tree/session-tree.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { nodeIdOf } from '../../../src/base/ids.ts'
import { Doorbells } from '../../../src/sessions/record/session-doorbells.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { evolve } from '../../../src/sessions/record/evolve-session.ts'
import { initialSessionState, statusOf } from '../../../src/sessions/record/session-state.ts'
import { SessionWriter } from '../../../src/sessions/writing/session-writer.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { aSession } from '../../contracts/rows.ts'
import {
  accepted,
  allow,
  cuts,
  deny,
  histories,
  inBatches,
  opened,
  settled,
} from '../../rig/cli/event-stories.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { type StoreKind, stores } from '../../rig/hubs/sessions.ts'
import { asApprovalId, asRunId, asSessionId } from '../../rig/tools/ids.ts'
import { runs } from '../../rig/tools/property-runs.ts'

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
      { numRuns: runs(kind === 'memory' ? 300 : 100) },
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
  const nodes = await lineage(store.nodes, session.headNode)
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
    'approvalId' in event ? { ...event, approvalId: asApprovalId(`${id}-${event.approvalId}`) } : event,
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

/** What each step of a session asks of its store, in order. */
async function stepsOf(work: (writer: SessionWriter) => Promise<void>) {
  const store = await openMemoryStore()
  const steps: { durable: boolean | undefined; types: string[]; offsets: number[] }[] = []
  const journal: Store['journal'] = {
    append: (given, options) => {
      for (const step of [given].flat()) {
        const types = step.events.map(({ event }) => event.type)
        const offsets = (step.runs ?? []).map(({ offset }) => offset)
        steps.push({ types, durable: options?.durable, offsets })
      }
      return store.journal.append(given, options)
    },
  }
  const session = aSession()
  await store.sessions.create(session)
  const books = { store: { ...store, journal }, doorbells: new Doorbells(), now: () => 5 }
  await work(await SessionWriter.open(books, session))
  return steps
}

const asks = (id: string): SessionEvent => opened(id, `tool-${id}`)

test('an answer is stored so that it outlives a loss of power, and nothing else is', async () => {
  const steps = await stepsOf(async (writer) => {
    await writer.append([asks('1'), asks('2'), asks('3')])
    await writer.append([settled('1', allow)])
    await writer.append([settled('2', deny)])
    await writer.append([settled('3')])
    await writer.append([accepted('p')])
  })
  expect(steps.map(({ durable }) => durable)).toEqual([false, true, true, false, false])
})

test('what a child said and how far it was read are stored in one step', async () => {
  const run = { id: asRunId('r'), sessionId: asSessionId('s1'), folder: '/runs/r', offset: 0, startedAt: 3 }
  const steps = await stepsOf(async (writer) => {
    await writer.append([{ type: 'run.started', runId: asRunId('r') }], { run })
    await writer.append([asks('1')], { run: { ...run, offset: 70 } })
    await writer.append([settled('1', allow)])
    await writer.append([], { run: { ...run, offset: 90 } })
    await writer.append([])
  })
  expect(steps.map(({ types, offsets }) => [types, offsets])).toEqual([
    [['run.started'], [0]],
    [['approval.opened'], [70]],
    [['approval.settled'], []],
    [[], [90]],
  ])
})

test('a step that could not be stored has not happened, and the next one can', async () => {
  const store = await openMemoryStore()
  const session = aSession()
  await store.sessions.create(session)
  let full = true
  const journal: Store['journal'] = {
    append: (step, options) =>
      full
        ? Promise.reject(new AppError('storage_full', 'The disk is full.'))
        : store.journal.append(step, options),
  }
  const noted: string[] = []
  const doorbells = new Doorbells()
  const onStored = (_: Session, events: readonly SessionEvent[]) =>
    noted.push(...events.map(({ type }) => type))
  const writer = await SessionWriter.open(
    { store: { ...store, journal }, doorbells, now: () => 5, onStored },
    session,
  )
  const before = [writer.state, writer.session, writer.run]
  await expect(writer.append([accepted('p')])).rejects.toMatchObject({ code: 'storage_full' })
  expect([writer.state, writer.session, writer.run]).toEqual(before)
  expect(noted).toEqual([])
  full = false
  await writer.append([accepted('p')])
  expect(noted).toEqual(['prompt.accepted'])
  expect(writer.session).toMatchObject({ status: 'running', turn: 1, lastSeq: 1 })
})
