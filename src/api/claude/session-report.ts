import type { PendingQuestion } from '../../engine/engine.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Context } from '../operation/operation.ts'
import { recentOf } from '../views/recent-activity.ts'
import { ownQuestions } from '../operation/wait-for-any-session.ts'
import { type HowMuch, statusView, type StatusView } from './status-view.ts'

export interface Look extends Partial<HowMuch> {
  readonly sessionId: string
  /** How long to wait until the session is not at work. */
  readonly waitSeconds: number
  /** The questions that are left open: they do not end the wait. */
  readonly knownQuestions?: readonly string[] | undefined
  /** Only what happened behind it; if left out, what happened since somebody last said or decided something, or the last lines. */
  readonly afterSeq?: number | undefined
}

/** How a session stands: waits until it needs someone, has ended, or time is up, and tells what is new. */
export async function lookAt(context: Context, look: Look): Promise<StatusView> {
  const { session, view, asked } = await lookFor(context, look)
  context.memory?.noteShown([session], await ownQuestions(context, [session], asked))
  return view
}

/** The same for who looks at several, and has still to say which of them are shown. */
export async function lookFor(
  context: Context,
  look: Look,
  isSecond = false,
): Promise<{ session: Session; view: StatusView; asked: readonly PendingQuestion[] }> {
  const { engine, who } = context
  const { sessionId, waitSeconds, knownQuestions: known, afterSeq, outputLines, fullInput = false } = look
  const deadline = performance.now() + waitSeconds * 1_000
  const ready =
    waitSeconds > 0 ? await engine.waitFor(who, { sessionIds: [sessionId], known, seconds: waitSeconds }) : []
  // What woke us may be a question below it.
  const session =
    ready.find(({ id, name }) => id === sessionId || name === sessionId) ??
    (await engine.getSession(who, { sessionId }))
  const asks = session.status === 'waiting' ? await engine.pending(who, { sessionId: session.id }) : []
  if (session.status === 'waiting' && asks.length === 0 && !isSecond) {
    // Somebody has answered between the two looks: it is at work again.
    const left = Math.max(0, deadline - performance.now()) / 1_000
    return lookFor(context, { ...look, waitSeconds: left }, true)
  }
  const below = session.config.nested ? await engine.pending(who, { sessionId: session.id, below: true }) : []
  const { events, before, more, isNew } = await stretch(context, session, { afterSeq, outputLines })
  const seq = events.at(-1)?.seq ?? afterSeq ?? session.lastSeq
  const view = statusView(
    {
      session,
      pending: asks,
      isNew,
      below,
      handedUp: handedUp(asks, who.caller.name),
      recent: recentOf(events, before),
      seq,
      more,
      ask: context.ask,
    },
    { outputLines, fullInput },
  )
  return { session, view, asked: [...asks, ...below] }
}

/** The oldest question is one that this caller has handed to somebody else. */
function handedUp([oldest]: readonly PendingQuestion[], caller: string): boolean {
  return oldest?.escalations?.some(({ by }) => by === caller) === true
}

async function stretch(
  { engine, who }: Context,
  { id: sessionId, lastSeq }: Session,
  { afterSeq, outputLines }: Pick<Look, 'afterSeq' | 'outputLines'>,
) {
  // Who wants so many lines and does not say from where has not said that they must be new.
  const onlyNew = afterSeq === undefined && !outputLines
  const limit = onlyNew ? USUAL_EVENTS : MOST_EVENTS
  const after = Math.max(0, afterSeq === undefined ? lastSeq - limit : afterSeq - CONTEXT_EVENTS)
  const { events } = await engine.readEvents(who, { sessionId, after, limit })
  const from = afterSeq ?? (onlyNew ? lastDeed(events) : 0)
  const before = events.filter(({ seq }) => seq <= from)
  const behind = events.filter(({ seq }) => seq > from)
  const more = (events.at(-1)?.seq ?? lastSeq) < lastSeq
  const [shown, fresh] = [openedIn(before), openedIn(behind)]
  // One that opened where nobody has read may be new.
  const isNew = (id: string) => fresh.has(id) || (!shown.has(id) && (more || from === 0))
  return { before, events: behind, more, isNew }
}

function openedIn(events: readonly StoredEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap(({ event }) => (event.type === 'approval.opened' ? [event.approvalId] : [])))
}

/** Where somebody last said or decided something: what came before it they have seen. */
export function lastDeed(events: readonly StoredEvent[]): number {
  const deed = events.findLast(
    ({ event }) =>
      event.type === 'prompt.accepted' ||
      (event.type === 'approval.settled' && event.by !== undefined && event.grantId === undefined),
  )
  return deed?.seq ?? 0
}

const USUAL_EVENTS = 100
const MOST_EVENTS = 1_000
/** In front of what is new, to know which tool has ended. */
const CONTEXT_EVENTS = 40
