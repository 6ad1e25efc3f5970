import type { SessionId, SessionKey } from '../base/ids.ts'
import { type Caller, mayAccess, seesAll } from '../callers/access-rules.ts'
import type { FeedPage, FeedStep } from '../events/event-feed.ts'
import { ANY, type Doorbells } from '../sessions/record/session-doorbells.ts'
import type { Store } from '../sessions/record/store.ts'
import { accessOf } from './access/session-access.ts'
import type { QuestionInWords } from './questions/question-words.ts'

export interface FollowAllDeps {
  readonly store: Store
  readonly doorbells: Doorbells
  /** Those of these questions of a readable session that are open. */
  readonly openedIn: (sessionId: SessionId, ids: ReadonlySet<string>) => Promise<QuestionInWords[]>
}

export interface FollowAll {
  /** The position to follow from; from now on by default. */
  readonly after?: number | undefined
  /** Whether each question comes with the step that opens it, if it is open still. Only a person's caller gets them. */
  readonly questions?: boolean | undefined
}

/** A step, with the questions that it has opened as `pending` has them. */
export interface FollowedStep extends FeedStep {
  readonly asked?: readonly QuestionInWords[] | undefined
}

export interface FollowedPage extends FeedPage {
  readonly steps: readonly FollowedStep[]
}

/**
 * The events of every session that the caller may read, in the order in which they were stored. The first page comes at once
 * and names the position, so that a reader can load the state of the sessions and then apply what follows.
 */
export async function* followAll(
  { store, doorbells, openedIn }: FollowAllDeps,
  caller: Caller,
  { after, questions, signal }: FollowAll & { readonly signal: AbortSignal },
): AsyncGenerator<FollowedPage, void> {
  const isReadable = readableBy(store, caller)
  const { doorbell, stop } = doorbells.listen(ANY)
  try {
    let position = after ?? (await store.feed.position())
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const page = await store.feed.read(position, PAGE)
      const isEnd = page.position === position
      position = page.position
      const steps: FollowedStep[] = []
      for (const step of page.steps) {
        if (!(await isReadable(step.sessionId))) continue
        const asked = questions && caller.person ? await askedIn(step, openedIn) : []
        steps.push(asked.length > 0 ? { ...step, asked } : step)
      }
      if (isFirst || page.missed || steps.length > 0) yield { ...page, steps }
      if (isEnd) await doorbell.next(untilNextPoll(Date.now()), signal).catch(() => {})
    }
  } finally {
    stop()
  }
}

/** What a step asks, without a second request of the person who waits for it. */
async function askedIn(
  { sessionId, events }: FeedStep,
  openedIn: FollowAllDeps['openedIn'],
): Promise<QuestionInWords[]> {
  const opened = new Set<string>(
    events.flatMap(({ event }) => (event.type === 'approval.opened' ? event.approvalId : [])),
  )
  return opened.size === 0 ? [] : openedIn(sessionId, opened)
}

/** Who may read a session does not change while it exists, so each is looked up once. */
function readableBy(store: Store, caller: Caller): (sessionId: SessionKey) => Promise<boolean> {
  const known = new Map<string, boolean>()
  return async (sessionId) => {
    if (seesAll(caller)) return true
    const found = known.get(sessionId)
    if (found !== undefined) return found
    const session = await store.sessions.get(sessionId)
    const isReadable = session !== undefined && mayAccess(caller, 'read', await accessOf(store, session))
    known.set(sessionId, isReadable)
    return isReadable
  }
}

const PAGE = 100
/** Whoever stores a step rings; the poll is for a ring that was lost, which should never be. */
const POLL_MS = 30_000

/** All readers poll at the same moments, so that an idle hub wakes up once for all of them and not once for each. */
function untilNextPoll(now: number): number {
  return POLL_MS - (now % POLL_MS)
}
