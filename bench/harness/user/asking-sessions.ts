import { allowAndWait, type Status } from './allow-next.ts'
import { type HubProcess, withHubProcess } from './hub-process.ts'
import { HubRpc } from './hub-rpc.ts'
import type { PlayedChild } from './played-child.ts'
import { processorTimeOf } from './processor-time.ts'
import { playedEnvironment, startPlayed } from './played-session.ts'

/** How many questions are open at once at most, whatever the number of sessions. */
const MOST_OPEN = 50
const ROUND_MS = 3_000
const P95_MS = 250
const TRIES = 5

/** Returns how many questions a second were asked and answered while it ran. */
export type Round = () => Promise<number>

/**
 * A hub with so many sessions whose children ask, each with a client of its own that waits for its questions and allows them at once
 * (`claude_respond`, which waits for the next), by calls on the hub's socket as `plexus mcp` makes them. At most 50 questions are
 * open at once: when one has its answer, that session asks which has asked for the longest time ago.
 */
export function withAskingSessions<T>(count: number, work: (round: Round) => Promise<T>): Promise<T> {
  return withHubProcess(playedEnvironment, async ({ hub, project }) => {
    const rpc = new HubRpc(hub)
    const children: PlayedChild[] = []
    const over = new AbortController()
    try {
      for (let at = 0; at < count; at++) {
        const { sessionId, child } = await startPlayed(rpc, project)
        children.push(child)
        void allowAll(rpc, sessionId, over.signal)
      }
      return await work(roundOf(hub, children))
    } finally {
      over.abort()
      for (const child of children) child.close()
      rpc.close()
    }
  })
}

async function allowAll(rpc: HubRpc, sessionId: string, over: AbortSignal): Promise<void> {
  try {
    let seen: Status = { sessionId, status: 'active' }
    while (!over.aborted) seen = await allowAndWait(rpc, seen)
  } catch (error) {
    if (!over.aborted) throw error
  }
}

/** A round counts when 95 of 100 answers came in time; as many questions are open at once as that allows. */
function roundOf(hub: HubProcess, children: readonly PlayedChild[]): Round {
  let open = MOST_OPEN
  const once = async () => {
    const cpuBefore = processorTimeOf(hub.pid)
    const start = performance.now()
    const took = await askFor(ROUND_MS, children, open)
    const ms = performance.now() - start
    const p95 = took[Math.floor(took.length * 0.95)] ?? Number.NaN
    const cpu = processorTimeOf(hub.pid) - cpuBefore
    const [rate, share, each] = [(1_000 * took.length) / ms, (100 * cpu) / ms, cpu / took.length]
    // So that a reader sees whether it was the hub that was busy.
    console.error(
      `${children.length} sessions, ${open} open: ${rate.toFixed(0)}/s, p95 ${p95.toFixed(0)} ms, hub ${share.toFixed(0)} % of a core, ${each.toFixed(2)} ms a question`,
    )
    open = Math.max(1, Math.min(MOST_OPEN, Math.floor((open * 0.9 * P95_MS) / p95)))
    return { rate, inTime: p95 < P95_MS }
  }
  return async () => {
    for (let left = TRIES; left > 0; left--) {
      const { rate, inTime } = await once()
      if (inTime) return rate
    }
    throw new Error(`No round had its answers within ${P95_MS} ms.`)
  }
}

/** How long each question took, the shortest first. */
async function askFor(ms: number, children: readonly PlayedChild[], open: number): Promise<number[]> {
  const end = performance.now() + ms
  const [waiting, took]: [PlayedChild[], number[]] = [[...children], []]
  const askInTurn = async () => {
    while (performance.now() < end) {
      const child = waiting.shift()
      if (!child) throw new Error('There are fewer sessions than open questions.')
      took.push(await child.ask())
      waiting.push(child)
    }
  }
  await Promise.all(Array.from({ length: open }, askInTurn))
  return took.toSorted((a, b) => a - b)
}
