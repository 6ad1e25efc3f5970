import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type UserRig, withHubProcess } from './hub-process.ts'
import { HubRpc } from './hub-rpc.ts'
import { PlayedChild, playedCli } from './played-child.ts'

/** How many questions are open at any time, whatever the number of sessions. */
const OPEN = 50
const ROUND_MS = 3_000
const P95_MS = 250

export interface AskingSessions {
  /** Questions a second that were asked and answered while this ran. */
  readonly round: () => Promise<number>
}

interface Status {
  readonly sessionId: string
  readonly pendingQuestion?: { readonly id: string }
}

/**
 * A hub with so many sessions whose children ask, each with a client of its own that waits for its questions (`claude_status`) and
 * allows them at once (`claude_respond`). 50 questions are open at any time: when one has its answer, the session asks next that
 * has asked for the longest time ago.
 */
export function withAskingSessions<T>(
  count: number,
  work: (sessions: AskingSessions) => Promise<T>,
): Promise<T> {
  return withHubProcess(environmentIn, async (rig) => {
    const rpc = new HubRpc(rig.hub)
    const children = await Promise.all(Array.from({ length: count }, (_, at) => start(rig, rpc, at)))
    const over = new AbortController()
    for (const { sessionId } of children) void answerAll(rpc, sessionId, over.signal)
    try {
      return await work({
        round: () =>
          round(
            rig,
            children.map(({ child }) => child),
          ),
      })
    } finally {
      over.abort()
      for (const { child } of children) child.close()
      rpc.close()
    }
  })
}

async function environmentIn(folder: string): Promise<Record<string, string>> {
  return {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    CLAUDE_CODE_PATH: await playedCli(folder),
    MAX_SESSIONS: '1000',
  }
}

async function start({ project }: UserRig, rpc: HubRpc, at: number) {
  const child = await PlayedChild.in(join(project, String(at)))
  const input = { prompt: 'go', workingDirectory: child.folder }
  const { sessionId } = await rpc.call<Status>('claude_start', input)
  await child.prompted
  return { child, sessionId }
}

async function answerAll(rpc: HubRpc, sessionId: string, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    try {
      const { pendingQuestion } = await rpc.call<Status>('claude_status', { sessionId })
      if (!pendingQuestion) continue
      await rpc.call('claude_respond', { sessionId, id: pendingQuestion.id, answers: ['allow'] })
    } catch (error) {
      if (!over.aborted) throw error
    }
  }
}

async function round({ hub }: UserRig, children: readonly PlayedChild[]): Promise<number> {
  const [waiting, took]: [PlayedChild[], number[]] = [[...children], []]
  const [start, cpu] = [performance.now(), cpuOf(hub.pid)]
  const end = start + ROUND_MS
  const askInTurn = async () => {
    while (performance.now() < end) {
      const child = waiting.shift()
      if (!child) throw new Error('There are fewer sessions than questions.')
      took.push(await child.ask())
      waiting.push(child)
    }
  }
  await Promise.all(Array.from({ length: OPEN }, askInTurn))
  const ms = performance.now() - start
  const p95 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? Number.NaN
  const busy = Math.round((100 * (cpuOf(hub.pid) - cpu)) / ms)
  const rate = (1_000 * took.length) / ms
  console.error(
    `${children.length} sessions: ${rate.toFixed(0)} questions a second, p95 ${p95.toFixed(0)} ms, hub at ${busy} % of a core`,
  )
  if (p95 > P95_MS) console.error(`p95 over ${P95_MS}`)
  return rate
}

/** Processor time that a process has taken, in milliseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
