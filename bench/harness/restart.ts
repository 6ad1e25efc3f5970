import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { checkpointOf } from '../../src/sessions/record/checkpoint.ts'
import { initialSessionState } from '../../src/sessions/record/session-state.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { inPairs, type Samples } from './figure.ts'
import { fill, inFolder } from './filled-store.ts'
import { ask } from './pending.ts'
import { type Hub, openHub, startTalker } from './talking-hub.ts'

const SESSIONS = 10
const EVENTS = 100_000
const QUESTIONS = 100

/**
 * Two folders for hubs that come and go: one with 10 sessions of 100,000 events, whose children live and wait for the
 * answers to 100 questions each, the other with nothing.
 */
export function compareRestarts(
  pairs: number,
  restart: (folder: string, pending: number) => Promise<number>,
): Promise<Samples> {
  return inFolder(async (path) => {
    const folder = await realpath(path)
    const hub = await openHub(folder)
    const talkers: Awaited<ReturnType<typeof startTalker>>[] = []
    for (let at = 0; at < SESSIONS; at++) {
      const talker = await startTalker(hub, (session) => givePast(hub.store, session))
      talkers.push(talker)
      await ask(hub, talker, QUESTIONS)
    }
    await close(hub)
    try {
      return await inPairs(
        pairs,
        () => restart(folder, SESSIONS * QUESTIONS),
        () => restart(join(folder, 'empty'), 0),
      )
    } finally {
      for (const talker of talkers) await talker.hush()
      await close(await openHub(folder), { endChildren: true })
    }
  })
}

/** Earlier turns, with the note of the state that the end of a turn leaves. */
async function givePast(store: Store, session: Session): Promise<void> {
  await fill(store, session.id, EVENTS)
  const checkpoint = { seq: EVENTS, state: checkpointOf({ ...initialSessionState, turn: 1 }) ?? {} }
  await store.journal.append({
    sessionId: session.id,
    at: 1,
    events: [],
    session: { ...session, turn: 1, checkpoint },
  })
}

/** How long it takes until a hub in this folder has taken over what is there. */
export async function timeToReady(folder: string, pending: number): Promise<number> {
  const start = performance.now()
  const hub = await openHub(folder)
  const took = performance.now() - start
  const found = (await hub.store.approvals.pending()).length
  await close(hub)
  if (found !== pending) throw new Error(`${found} questions are pending, not ${pending}.`)
  return took
}

async function close(hub: Omit<Hub, 'over'>, how = { endChildren: false }): Promise<void> {
  await hub.close(how)
  await hub.store.close()
}
