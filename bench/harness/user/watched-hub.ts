import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { allowNext } from './allow-next.ts'
import { type HubProcess, withHubProcess } from './hub-process.ts'
import { HubRpc } from './hub-rpc.ts'
import { playedEnvironment, type PlayedSession, startPlayed } from './played-session.ts'
import { programArgs } from './rpc-process.ts'

const SESSIONS = 200
const PER_SECOND = 50
/** How long a question of the others is open. */
const OPEN_MS = 400

export interface WatchedHub {
  readonly hub: HubProcess
  readonly rpc: HubRpc
  /** The pid of `plexus watch`. */
  readonly pid: number
  /** The session that is selected on the screen. */
  readonly selected: PlayedSession
  /** Resolves once the screen has shown this, with the time of day. */
  readonly shows: (text: string) => Promise<number>
}

/**
 * A hub with 200 sessions, whose children open 50 questions a second and have 50 settled, and `plexus watch` in a terminal of
 * 80x24 with one of them selected.
 */
export function withWatchedHub<T>(work: (watched: WatchedHub) => Promise<T>): Promise<T> {
  return withHubProcess(playedEnvironment, async ({ hub, project, env }) => {
    const rpc = new HubRpc(hub)
    const over = new AbortController()
    const sessions: PlayedSession[] = []
    for (let at = 0; at < SESSIONS; at++) sessions.push(await startPlayed(rpc, project))
    const [selected, ...others] = sessions
    if (!selected) throw new Error('There is no session.')
    // The first that needs somebody is selected.
    void selected.child.ask()
    await rpc.call('waitFor', { sessionIds: [selected.sessionId], seconds: 50 })
    const screen = openScreen(env)
    let load: Promise<void> | undefined
    try {
      await screen.shows('q leave')
      load = askAndSettle(rpc, others, over.signal)
      const pid = childOf(screen.process.pid ?? 0)
      return await Promise.race([
        work({ hub, rpc, pid, selected, shows: screen.shows }),
        load.then(() => {
          throw new Error('The children no longer ask.')
        }),
      ])
    } finally {
      over.abort()
      await load?.catch(() => {})
      await screen.close()
      for (const { child } of sessions) child.close()
      rpc.close()
    }
  })
}

/** `script` gives it a terminal, and hands over what it paints. */
function openScreen(env: Record<string, string>) {
  const words = ['exec', process.execPath, ...programArgs('watch')].join(' ')
  const screen: ChildProcess = spawn('script', ['-qfc', `stty cols 80 rows 24; ${words}`, '/dev/null'], {
    env: { ...env, TERM: 'xterm', LANG: 'C.UTF-8', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting: { text: string; resolve: (at: number) => void }[] = []
  screen.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    for (const wait of waiting.slice())
      if (chunk.includes(wait.text)) {
        waiting.splice(waiting.indexOf(wait), 1)
        wait.resolve(Date.now())
      }
  })
  return {
    process: screen,
    shows: (text: string) => new Promise<number>((resolve) => waiting.push({ text, resolve })),
    close: async () => {
      const exit = once(screen, 'exit')
      screen.stdin?.write('q')
      await exit
    },
  }
}

/** Each session asks in its turn, and is answered a while later. */
async function askAndSettle(
  rpc: HubRpc,
  sessions: readonly PlayedSession[],
  signal: AbortSignal,
): Promise<void> {
  const running: Promise<void>[] = []
  let failure: unknown
  const note = (error: unknown) => void (failure ??= error)
  const start = performance.now()
  for (let count = 0; !signal.aborted; count++) {
    const session = sessions[count % sessions.length]
    if (session) running.push(oneQuestion(rpc, session).catch(note))
    if (failure !== undefined) throw failure
    const due = start + ((count + 1) * 1_000) / PER_SECOND
    await sleep(Math.max(0, due - performance.now()))
  }
  await Promise.all(running)
}

async function oneQuestion(rpc: HubRpc, { child, sessionId }: PlayedSession): Promise<void> {
  const asked = child.ask()
  await sleep(OPEN_MS)
  await allowNext(rpc, sessionId).catch((error: unknown) => {
    // A call that was repeated because its connection was lost.
    if (!String(error).includes('already_settled')) throw error
  })
  await asked
}

function childOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return Number(child)
}
