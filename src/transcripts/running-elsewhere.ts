import { livingSessionFiles, sessionFileOf } from './session-files.ts'

/** A process of the CLI that has a session open, according to its own file. */
export interface RunningSession {
  readonly sessionId: string
  readonly pid: number
}

/**
 * The open sessions by id. The CLI takes no lock: if two processes have the same session open, the process that started later
 * is returned.
 */
export async function runningSessions(configFolder: string): Promise<Map<string, RunningSession>> {
  const files = await livingSessionFiles(configFolder)
  return new Map(files.map(({ sessionId, pid }) => [sessionId, { sessionId, pid }]))
}

/** The session that a process of the CLI has open now; undefined before it has written its file, and after its end. */
export async function sessionOfProcess(configFolder: string, pid: number): Promise<string | undefined> {
  return (await sessionFileOf(configFolder, pid))?.sessionId
}
