import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Approval } from '../../src/approvals/approval.ts'
import type { StartOptions } from '../../src/child/launch/start-options.ts'
import type { SessionId } from '../../src/base/ids.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { asApprovalId, asRunId, asSessionId, branded } from '../../test/rig/tools/ids.ts'

export const SESSION = asSessionId('5f0c7a52-9a3e-4a51-8d5e-0b8f4f1f2a10')
const BATCH = 1000
/** Written out: a process that is measured should not load the schema for it. */
const CONFIG: StartOptions = {
  permissionMode: 'default',
  supervise: 'asked',
  dangerouslySkipPermissions: false,
  carrier: 'control',
}

/** A folder for as long as the work goes on. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'plexus-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

export function newSession(id: string): Session {
  return branded<Session>({
    id,
    owner: 'operator',
    workingDirectory: '/',
    config: CONFIG,
    origin: { kind: 'new' },
    timeoutMs: 0,
    answerers: 'anyone',
    cliSessionId: id,
    createdAt: 1,
    status: 'idle',
    turn: 0,
    lastSeq: 0,
    costUsd: 0,
    updatedAt: 1,
  })
}

/** A store with one session that has so many events. */
export async function filledStore(path: string, events: number): Promise<Store> {
  const store = await openSqliteStore(path)
  await store.sessions.create({ ...newSession(SESSION), status: 'running', turn: 1 })
  await fill(store, SESSION, events)
  return store
}

/** Of the size that they have in a day's work. */
export async function fill(store: Store, sessionId: SessionId, events: number): Promise<void> {
  for (let stored = 0; stored < events; stored += BATCH) {
    await store.journal.append({
      sessionId,
      at: stored,
      events: Array.from({ length: Math.min(BATCH, events - stored) }, (_, at) => ({
        turn: 1,
        event: { type: 'text.streamed' as const, text: `reads the file and then ${stored + at} `.repeat(8) },
      })),
    })
  }
}

/** Questions as a child asks them, and a run that is still alive. */
export async function openApprovals(store: Store, count: number): Promise<void> {
  const opened = Array.from({ length: count }, (_, at): Approval => {
    const command = `npm test -- part-${at} && git status --short`
    return {
      id: asApprovalId(`approval-${at}`),
      sessionId: SESSION,
      turn: 1,
      kind: 'tool',
      toolName: 'Bash',
      input: { command, description: 'Runs a part of the tests' },
      inputSha256: 'ab'.repeat(32),
      requestId: `request-${at}`,
      toolUseId: `toolu_${at}`,
      carrier: 'control',
      openedAt: at,
      status: 'pending',
      delivery: 'none',
    }
  })
  const run = { id: asRunId('run'), sessionId: SESSION, folder: '/runs/run', offset: 1, startedAt: 1 }
  await store.journal.append({ sessionId: SESSION, at: 1, events: [], opened, runs: [run] })
}
