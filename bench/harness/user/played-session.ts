import { join } from 'node:path'
import { allowNext, type Caller, type Status } from './allow-next.ts'
import { PlayedChild, playedCli } from './played-child.ts'

export interface PlayedSession {
  readonly sessionId: string
  readonly child: PlayedChild
}

/** The environment of a hub whose sessions are played. */
export async function playedEnvironment(folder: string): Promise<Record<string, string>> {
  const cli = await playedCli(folder)
  return { PATH: '/usr/bin:/bin', HOME: folder, CLAUDE_CODE_PATH: cli, MAX_SESSIONS: '1000' }
}

let started = 0

/** A session in its first turn, in a new folder. */
export async function startPlayed(caller: Caller, project: string): Promise<PlayedSession> {
  const child = await PlayedChild.in(join(project, String(started++)))
  const input = { prompt: 'go', workingDirectory: child.folder }
  const { sessionId } = await caller.call<Status>('claude_start', input)
  await child.prompted()
  return { sessionId, child }
}

/** So many calls of a tool, one after the other, each asked about and allowed. */
export async function approve(
  caller: Caller,
  { sessionId, child }: PlayedSession,
  times: number,
): Promise<void> {
  const allow = async () => {
    const { status, pendingQuestion } = await allowNext(caller, sessionId)
    if (!pendingQuestion) throw new Error(`The session is ${status} and does not ask.`)
  }
  for (let left = times; left > 0; left--) await Promise.all([child.ask(), allow()])
}
