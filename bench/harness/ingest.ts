import { randomUUID } from 'node:crypto'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_OPINION } from '../../src/child/policy/hook-opinion.ts'
import { createRunFolder } from '../../src/child/process/run-folder.ts'
import { adoptChild } from '../../src/child/process/start-child.ts'
import { Doorbells } from '../../src/sessions/record/session-doorbells.ts'
import { diskFiles } from '../../src/shell/disk-files.ts'
import { PermitAccess } from '../../src/sessions/launch/permit-access.ts'
import { SessionRun } from '../../src/sessions/run/session-run.ts'
import { type WriterDeps, SessionWriter } from '../../src/sessions/writing/session-writer.ts'
import { outputOf } from './child-output.ts'
import { newSession } from './filled-store.ts'
import { asRunId } from '../../test/rig/tools/ids.ts'

/** The folder of a process that has ended and said at least so much. */
export async function endedRun(folder: string, bytes: number): Promise<string> {
  const run = await createRunFolder(join(folder, 'run'))
  let [size, part] = [0, '']
  for (const text of outputOf()) {
    part += text
    if (part.length < PART) continue
    await appendFile(run.stdout, part)
    size += part.length
    part = ''
    if (size >= bytes) break
  }
  await writeFile(run.exit, '0\n')
  return run.path
}

/** All of a run into a new session of the store, as a hub does it that finds the run; returns the session's id. */
export async function ingest(folder: string, books: Pick<WriterDeps, 'store' | 'onMoment'>): Promise<string> {
  const session = newSession(randomUUID())
  await books.store.sessions.create(session)
  const writer = await SessionWriter.open({ ...books, doorbells: new Doorbells(), now: Date.now }, session)
  const run = { id: asRunId(randomUUID()), sessionId: session.id, folder, offset: 0, startedAt: 1 }
  await writer.append([{ type: 'run.started', runId: run.id }], { run })
  const child = await adoptChild(folder, session.id)
  const { signal: closing } = new AbortController()
  const live = new SessionRun({
    child,
    writer,
    context: {
      sessionId: session.id,
      opinion: () => NO_OPINION,
      askedDespite: () => undefined,
      decided: () => undefined,
      place: { files: diskFiles, bounds: { folders: [], except: [] }, cwd: '/', trusted: false },
      asksInOutput: () => false,
    },
    permit: new PermitAccess(session, { onError: console.error }, books.store.callers),
    closing,
    restarts: () => 0,
    onError: console.error,
    adopted: { cutOff: false, outdated: undefined },
  })
  await live.ended
  return session.id
}

const PART = 1_000_000
