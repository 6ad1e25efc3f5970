import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Desk, type DeskDeps } from '../approvals/desk.ts'
import type { FloodLimits } from '../approvals/floods/flood.ts'
import { AT_WORK } from '../sessions/record/at-work.ts'
import { systemClock } from '../base/clock.ts'
import { BudgetWatch } from '../engine/budgets/budget-watch.ts'
import { offeredRule } from '../engine/learning/offer-rules.ts'
import { WakeParents } from '../engine/wake-parents.ts'
import type { SessionEvent } from '../events/session-event.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Moment } from '../sessions/writing/session-writer.ts'
import type { Store } from '../sessions/record/store.ts'
import type { HubEnvironment } from '../sessions/launch/hub-environment.ts'
import { deskSessions } from '../sessions/sessions-for-desk.ts'
import { type Limits, Supervisor } from '../sessions/supervisor.ts'
import { TABLE } from '../transports/mcp/tool-table.ts'

export interface SessionsParts {
  readonly store: Store
  readonly environment: HubEnvironment
  readonly limits: Limits
  readonly now?: (() => number) | undefined
  /** How many questions may be open at once; `onLimit` is called for each question beyond that. */
  readonly questionLimits?: DeskDeps['limits']
  readonly onLimit?: DeskDeps['onLimit']
  /** From how many questions on a person is shown no more; `off` is never. */
  readonly flood?: FloodLimits | 'off' | undefined
  /** Called with each new session; must not throw. */
  readonly onCreated?: ((session: Session) => void) | undefined
  /** Called with the stored events, in order; must not throw. */
  readonly onStored?: ((session: Session, events: readonly SessionEvent[]) => void) | undefined
  /** For tests of the state after a crash. */
  readonly onMoment?: ((moment: Moment, events: readonly SessionEvent[]) => void) | undefined
}

export interface Sessions {
  readonly store: Store
  readonly supervisor: Supervisor
  readonly desk: Desk
  readonly budgets: BudgetWatch
  readonly environment: SessionsParts['environment']
  /** The sessions that an earlier hub had at work: they may have ended while there was no hub. */
  readonly foundAtWork: readonly string[]
  /** The children keep running, or are ended too. The caller closes the store. */
  close(how: { endChildren: boolean }): Promise<void>
}

/**
 * All sessions of a store, with every child adopted that an earlier hub left. A hub is not ready before that, so nothing is
 * imported here that only requests need.
 */
export async function adoptSessions(parts: SessionsParts): Promise<Sessions> {
  const { store, environment, limits, now = Date.now, onMoment } = parts
  await mkdir(join(environment.home, 'runs'), { recursive: true, mode: 0o700 })
  const supervisor = new Supervisor(store, { ...environment, nestedTools: NESTED_TOOLS }, limits, {
    now,
    flood: parts.flood,
    onMoment,
    onCreated: parts.onCreated,
    onStored: parts.onStored,
  })
  const desk = new Desk({
    approvals: store.approvals,
    sessions: deskSessions(supervisor),
    limits: parts.questionLimits,
    onLimit: parts.onLimit,
    repeatDeniedMs: environment.repeatDeniedMs,
    onError: environment.onError,
    clock: { ...systemClock, now },
    offeredRule: (approval, id) => offeredRule({ store, supervisor, environment }, approval, id),
  })
  const { onError } = environment
  const budgets = new BudgetWatch({ store, supervisor, now, onError })
  const parents = new WakeParents({ store, supervisor, budgets, onError })
  supervisor.addWatcher(desk)
  supervisor.addWatcher(parents)
  supervisor.addWatcher(budgets)
  const foundAtWork = await store.sessions.list({ status: AT_WORK, limit: MAX_FOUND })
  await supervisor.adopt()
  await resumeLimits(store, desk)
  parents.resume().catch(onError)
  budgets.resume().catch(onError)
  return {
    store,
    supervisor,
    desk,
    budgets,
    environment,
    foundAtWork: foundAtWork.map(({ id }) => id),
    close: async (how) => {
      desk.close()
      parents.close()
      budgets.close()
      await supervisor.close(how)
    },
  }
}

async function resumeLimits(store: Store, desk: Desk): Promise<void> {
  await desk.resume(async (id) => {
    const session = await store.sessions.get(id)
    // Silence here is no denial of what a terminal asks.
    return session?.outside?.to === 'terminal' ? { ...session, timeoutMs: 0 } : session
  })
}

const MAX_FOUND = 500
/** The tools of a nested child besides the tool to ask; its token already allows them, so no person is asked about them. */
const NESTED_TOOLS = TABLE.tools.map(({ name, annotations }) => ({
  name,
  readOnly: annotations.readOnlyHint,
}))
