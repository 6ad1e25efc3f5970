import { type Grant, type GrantEnd, isWide } from '../approvals/grants/grant.ts'
import type { RecordEntry } from '../audit/record-row.ts'
import type { EventOf } from '../events/session-event.ts'
import type { SessionKey } from '../base/ids.ts'
import { HomeGrants } from './in-advance/home-grants.ts'
import { HubTime } from './in-advance/hub-time.ts'
import { isAtWork } from './record/at-work.ts'
import type { Store } from './record/store.ts'
import type { LiveSession } from './live-session.ts'

type EndEvent = EventOf<'grant.expired' | 'grant.revoked'>

interface Parts {
  readonly store: Store
  readonly now: () => number
  readonly wake: (sessionId: SessionKey) => Promise<LiveSession>
  readonly onError: (error: unknown) => void
}

/** How grants end: revoked by a caller, or expired, which is found when one is used or by the sweep. */
export class GrantEnds {
  readonly home: HomeGrants
  readonly #parts: Parts
  /** Those whose end is being stored. */
  readonly #ending = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.home = new HomeGrants({
      time: new HubTime(parts.now),
      onOver: (grant) => void this.#expire(grant).catch(parts.onError),
    })
  }

  /** The clock begins no earlier than what an earlier hub stored last. */
  async load(): Promise<void> {
    const { sessions } = this.#parts.store
    const [latest] = await sessions.list({ limit: 1 })
    if (latest) this.home.time.notBefore(latest.updatedAt)
    await this.reload()
  }

  /** After a session was removed: the grants of its tree are gone too. */
  async reload(): Promise<void> {
    await this.home.load(this.#parts.store.grants)
  }

  async sweep(): Promise<void> {
    for (const grant of await this.#parts.store.grants.ending())
      if (await this.isOver(grant)) await this.#expire(grant)
  }

  async isOver({ sessionId, scope, rules, endsAt }: Grant): Promise<boolean> {
    if (endsAt !== undefined && this.home.time.now() >= endsAt) return true
    if (scope !== 'turn') return false
    const session = await this.#parts.store.sessions.get(sessionId)
    return !session || session.turn !== rules[0]?.turn || !isAtWork(session)
  }

  /** From now on such calls need an answer again. */
  async revoke(grant: Grant, by: string): Promise<void> {
    await this.#end(grant, { type: 'grant.revoked', grantId: grant.id, by })
  }

  async #expire(grant: Grant): Promise<void> {
    if (this.#ending.has(grant.id)) return
    this.#ending.add(grant.id)
    try {
      await this.#end(grant, { type: 'grant.expired', grantId: grant.id })
    } finally {
      this.#ending.delete(grant.id)
    }
  }

  /** The end is noted in the log of the session that asked, if that still exists. */
  async #end(grant: Grant, event: EndEvent): Promise<void> {
    const { id, sessionId } = grant
    const { store, wake, now } = this.#parts
    const exists = (await store.sessions.get(sessionId)) !== undefined
    const live = exists ? await wake(sessionId) : undefined
    // Another may have ended it meanwhile.
    if ((await store.grants.get(id))?.ended === undefined) {
      if (live) await live.questions.noteEnd(event)
      else await store.grants.end(id, endOf(event, now()), entryOf(grant, event, now()))
    }
    this.home.remove(id)
    if (live && !isWide(grant)) live.questions.useGrants(await store.grants.ofSession(sessionId))
  }
}

function endOf(event: EndEvent, at: number): GrantEnd {
  return event.type === 'grant.expired' ? { how: 'expired', at } : { how: 'revoked', at, by: event.by }
}

/** Its session is gone, so the row names no more of it than its id. */
function entryOf({ sessionId }: Grant, event: EndEvent, at: number): RecordEntry {
  const { type, ...body } = event
  const kind = type === 'grant.expired' ? 'grant-expired' : 'grant-revoked'
  return { kind, at, body: { session: sessionId, ...body } }
}
