import { join } from 'node:path'
import { PlayedChild, playedCli } from './played-child.ts'

/** What starts a session: a client of `plexus mcp`, or a call of the hub. */
export interface Caller {
  readonly call: <T>(tool: string, input: object) => Promise<T>
}

export interface PlayedSession {
  readonly sessionId: string
  readonly child: PlayedChild
}

interface Status {
  readonly sessionId: string
  readonly pendingQuestion?: { readonly id: string }
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

/** Waits until the session asks, and allows what it asks for; false when it does not ask. */
export async function allowNext(caller: Caller, sessionId: string): Promise<boolean> {
  const { pendingQuestion } = await caller.call<Status>('claude_status', { sessionId })
  if (!pendingQuestion) return false
  await caller.call('claude_respond', { sessionId, id: pendingQuestion.id, answers: ['allow'] })
  return true
}

/** So many calls of a tool, one after the other, each asked about and allowed. */
export async function approve(
  caller: Caller,
  { sessionId, child }: PlayedSession,
  times: number,
): Promise<void> {
  for (let left = times; left > 0; left--) await Promise.all([child.ask(), allowNext(caller, sessionId)])
}
