import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Desk, type DeskDeps } from '../approvals/desk.ts'
import { systemClock } from '../base/clock.ts'
import type { Asking, Engine } from '../engine/engine.ts'
import type { Transcripts } from '../engine/conversations.ts'
import { createEngine, type EngineParts } from '../engine/local-engine.ts'
import { WakeParents } from '../engine/wake-parents.ts'
import type { Surroundings } from '../sessions/run/launch-spec.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Moment } from '../sessions/record/session-writer.ts'
import { type Limits, Supervisor } from '../sessions/supervisor.ts'
import type { SessionEvent } from '../events/session-event.ts'
import type { Store } from '../sessions/record/store.ts'
import { nestedTools } from '../transports/mcp/mcp-tool.ts'

export interface AppParts {
  readonly store: Store
  readonly around: Surroundings
  /** The conversations that the CLI has on this machine. */
  readonly transcripts?: Transcripts | undefined
  readonly limits: Limits
  readonly now?: (() => number) | undefined
  /** How long a question waits in a session that a model starts, unless it says so itself. */
  readonly permissionTimeoutMs?: number | undefined
  /** How children ask whose start options do not say. */
  readonly carrier?: EngineParts['carrier']
  /** How this program is run as a relay for those that others start. */
  readonly relay?: EngineParts['relay']
  /** Nobody chose the folder that this process is in. */
  readonly needsFolder?: EngineParts['needsFolder']
  /** How much may be open at once, and what is called for each question beyond it. */
  readonly mostOpen?: DeskDeps['limits']
  readonly onLimit?: DeskDeps['onLimit']
  /** Told of each new session; must not throw. */
  readonly onCreated?: ((session: Session) => void) | undefined
  /** Told what was stored, in order; must not throw. */
  readonly onStored?: ((session: Session, events: readonly SessionEvent[]) => void) | undefined
  /** For tests of what a crash leaves behind. */
  readonly onMoment?: ((moment: Moment, events: readonly SessionEvent[]) => void) | undefined
}

export interface App {
  readonly engine: Engine & Asking
  readonly supervisor: Supervisor
  readonly desk: Desk
  /** The sessions that an earlier hub had at work: their end may have come while there was none. */
  readonly foundAtWork: readonly string[]
  /** The children stay, or are ended too. The store is closed by who opened it. */
  close(how: { endChildren: boolean }): Promise<void>
}

/** The only place that puts the parts together. When it returns, every child that an earlier hub left is adopted. */
export async function createApp(parts: AppParts): Promise<App> {
  const { store, around, limits, permissionTimeoutMs, carrier, now = Date.now, onMoment } = parts
  await mkdir(join(around.home, 'runs'), { recursive: true, mode: 0o700 })
  const supervisor = new Supervisor(store, { ...around, nestedTools: nestedTools() }, limits, {
    now,
    onMoment,
    onCreated: parts.onCreated,
    onStored: parts.onStored,
  })
  const desk = new Desk({
    approvals: store.approvals,
    sessions: supervisor,
    limits: parts.mostOpen,
    onLimit: parts.onLimit,
    onError: around.onError,
    clock: { ...systemClock, now },
  })
  const parents = new WakeParents({ store, supervisor, onError: around.onError })
  supervisor.addWatcher(desk)
  supervisor.addWatcher(parents)
  const foundAtWork = await store.sessions.list({ status: ['running', 'waiting'], limit: MOST_FOUND })
  await supervisor.adopt()
  await resumeLimits(store, desk)
  parents.resume().catch(around.onError)
  return {
    engine: createEngine({
      store,
      supervisor,
      desk,
      permissionTimeoutMs,
      carrier,
      relay: parts.relay,
      needsFolder: parts.needsFolder,
      transcripts: parts.transcripts,
    }),
    supervisor,
    desk,
    foundAtWork: foundAtWork.map(({ id }) => id),
    close: async (how) => {
      desk.close()
      parents.close()
      await supervisor.close(how)
    },
  }
}

/** A hub may find a thousand questions, of a few sessions: each session is read once. */
async function resumeLimits(store: Store, desk: Desk): Promise<void> {
  const known = new Map<string, Session>()
  await desk.resume(async (id) => {
    const session = known.get(id) ?? (await store.sessions.get(id))
    if (session) known.set(id, session)
    return session
  })
}

const MOST_FOUND = 500
