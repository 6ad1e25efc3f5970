import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { aSession } from '../contracts/rows.ts'
import { DeskLives } from '../rig/hubs/desk-lives.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { expectedAfter, noQuestions } from './desk-expectation.ts'
import { INVARIANTS } from './desk-invariants.ts'
import { KINDS, LIMIT_MS, steps } from './desk-steps.ts'
import { DeskStory } from './desk-story.ts'
import { asRunId } from '../rig/tools/ids.ts'
import { runs } from '../rig/tools/property-runs.ts'

/** Opens a store repeatedly, as one hub after the other does. */
const stores: Record<string, () => Promise<() => Promise<Store>>> = {
  memory: async () => {
    const store = await openMemoryStore()
    return async () => store
  },
  sqlite: async () => {
    const path = join(await temporaryFolder(), 'plexus.db')
    let open: Store | undefined
    return async () => {
      await open?.close()
      return (open = await openSqliteStore(path))
    }
  },
}

/** Runs a story with its own sessions, in a store that many stories share. */
async function runStory(
  open: () => Promise<Store>,
  scheduler: fc.Scheduler,
  happens: (story: DeskStory) => Promise<void>,
): Promise<void> {
  const sessions = KINDS.map((kind) =>
    aSession({ ...kind, id: randomUUID(), owner: 'owner', parentId: `parent ${randomUUID()}` }),
  )
  const store = await open()
  const { number } = await store.record.head()
  // The parents must exist, because a session may only allow what it may do itself.
  const parents = sessions.flatMap(({ parentId }) => parentId ?? [])
  for (const id of parents) await store.sessions.create(aSession({ id, owner: 'owner' }))
  for (const session of sessions) await store.sessions.create(session)
  const lives = new DeskLives(open, scheduler)
  await lives.begin(sessions.map(({ id }) => id))
  for (const { writer } of lives.life.seats.values())
    void writer.append([{ type: 'run.started', runId: asRunId('run') }])
  await lives.idle()
  try {
    await happens(new DeskStory(lives, sessions, number))
  } finally {
    await lives.crash()
    for (const id of [...sessions.map((session) => session.id), ...parents])
      await lives.store.sessions.remove(id)
  }
}

async function rowsOf(story: DeskStory) {
  const { store } = story.lives
  return Promise.all(
    story.questions.map(async ({ session, toolUseId }) =>
      (await store.approvals.ofToolUse(story.sessions[session]?.id ?? '', toolUseId)).at(-1),
    ),
  )
}

async function checkAll(story: DeskStory): Promise<void> {
  const rows = await rowsOf(story)
  const kept = story.questions.flatMap((asked, n) => {
    const row = rows[n]
    return row ? [[asked, row] as const] : []
  })
  for (const [name, check] of Object.entries(INVARIANTS)) {
    try {
      await check(story, kept, story.lives.store)
    } catch (error) {
      throw new Error(name, { cause: error })
    }
  }
  expect(story.lives.errors).toEqual([])
}

describe.each(Object.entries(stores))('on %s', (name, prepare) => {
  test('I1 I2 I3 I4 I5 I11 I21 R9: in sequence, every question ends as the model predicts', async () => {
    const open = await prepare()
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(steps, { maxLength: 30 }), (scheduler, all) =>
        runStory(open, scheduler, async (story) => {
          let expected = noQuestions
          for (const step of all) {
            await story.begin(step)
            await story.lives.idle()
            expected = expectedAfter(expected, step)
            const rows = await rowsOf(story)
            const byOf = (by: string | undefined, session: number) =>
              by === 'parent' ? story.sessions[session]?.parentId : by
            expect(rows.map((row) => ({ status: row?.status, by: row?.by }))).toEqual(
              expected.questions.map(({ status, by, session }) => ({ status, by: byOf(by, session) })),
            )
            await checkAll(story)
          }
        }),
      ),
      { numRuns: runs(name === 'memory' ? 300 : 40) },
    )
  })

  test('I1 I2 I3 I4 I5 I11 I21 R9 R14: concurrently and with crashes, the guarantees hold', async () => {
    const open = await prepare()
    const paced = fc.array(fc.tuple(steps, fc.nat(6)), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), paced, (scheduler, all) =>
        runStory(open, scheduler, async (story) => {
          for (const [step, moments] of all) {
            await story.begin(step)
            await story.lives.some(moments)
          }
          await story.lives.idle()
          await checkAll(story)
          story.lives.clock.advance(LIMIT_MS)
          await story.lives.idle()
          await checkAll(story)
          const rows = await rowsOf(story)
          const late = rows.filter(
            (row, n) => row?.status === 'pending' && KINDS[story.questions[n]?.session ?? 0]?.timeoutMs,
          )
          expect(late, 'R9: nothing never expires').toEqual([])
        }),
      ),
      { numRuns: runs(name === 'memory' ? 1_000 : 60) },
    )
  })
})
