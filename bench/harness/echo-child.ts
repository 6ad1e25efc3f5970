import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Child } from '../../src/child/process/child-process.ts'
import { endAll, processesOfSession } from '../../src/system/process-tree.ts'
import { startChild } from '../../src/child/process/start-child.ts'

/** The smallest child there is: it says what it hears. */
const ECHO = '/bin/cat'
const ENV = { PATH: '/usr/bin:/bin' }

/** With its keeper, in a run folder of its own below `folder`. */
export async function startEcho(folder: string): Promise<Child> {
  const sessionId = randomUUID()
  return startChild({
    sessionId,
    runPath: join(folder, sessionId),
    cli: ECHO,
    args: [],
    env: { ...ENV, LOOPBACK_SESSION_ID: sessionId },
    workingDirectory: folder,
    leaseSeconds: 600,
    messages: [],
  })
}

/** Nothing of it is left. */
export async function endEcho(child: Child): Promise<void> {
  child.close()
  await endAll(() => processesOfSession(child.sessionId))
}

export function pipedEcho(): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(ECHO, { env: ENV, stdio: ['pipe', 'pipe', 'ignore'] })
}
