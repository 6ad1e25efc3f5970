import type { SessionKey } from '../../base/ids.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import { needsAnswer } from '../../sessions/record/at-work.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Context } from '../operation/operation.ts'
import { recentActivity } from '../views/recent-activity.ts'
import { ownQuestions } from '../operation/wait-for-any-session.ts'
import { type ViewOptions, statusView, type StatusView } from './status-view.ts'

export interface ReportOptions extends Partial<ViewOptions> {
  readonly sessionId: SessionKey
  /** How long to wait until the session is not at work. */
  readonly waitSeconds: number
  /** Questions that the caller leaves open: they do not end the wait. */
  readonly knownQuestions?: readonly string[] | undefined
  /** Only events after this seq. By default, events since the last prompt or decision, or the last lines. */
  readonly afterSeq?: number | undefined
}

/** Waits until a session needs an answer, has ended, or time is up, and reports its state and what is new. */
export async function reportSession(context: Context, options: ReportOptions): Promise<StatusView> {
  const { session, view, asked } = await readReport(context, options)
  context.memory?.noteShown([session], await ownQuestions(context, [session], asked))
  return view
}

/** The same without noting the session as shown, for callers that read several reports. */
export async function readReport(
  context: Context,
  options: ReportOptions,
  isSecond = false,
): Promise<{ session: Session; view: StatusView; asked: readonly PendingQuestion[] }> {
  const { engine, call } = context
  const { sessionId, waitSeconds, knownQuestions: known, afterSeq, outputLines, fullInput = false } = options
  const deadline = performance.now() + waitSeconds * 1_000
  const ready =
    waitSeconds > 0
      ? await engine.waitFor(call, { sessionIds: [sessionId], known, seconds: waitSeconds })
      : []
  // The wait may have ended because of a question of another session, below this one.
  const session =
    ready.find(({ id, name }) => id === sessionId || name === sessionId) ??
    (await engine.getSession(call, { sessionId }))
  const asks = needsAnswer(session) ? await engine.pending(call, { sessionId: session.id }) : []
  if (session.status === 'waiting' && asks.length === 0 && !isSecond) {
    // The question was answered between the two reads, so the session is at work again.
    const left = Math.max(0, deadline - performance.now()) / 1_000
    return readReport(context, { ...options, waitSeconds: left }, true)
  }
  const below = session.config.nested
    ? await engine.pending(call, { sessionId: session.id, below: true })
    : []
  const { events, before, more, isNew } = await readNewEvents(context, session, { afterSeq, outputLines })
  const seq = events.at(-1)?.seq ?? afterSeq ?? session.lastSeq
  const view = statusView(
    {
      session,
      pending: asks,
      isNew,
      below,
      escalatedByCaller: isEscalatedBy(asks, call.caller.name),
      recent: recentActivity(events, before),
      seq,
      more,
      ask: context.ask,
    },
    { outputLines, fullInput },
  )
  return { session, view, asked: [...asks, ...below] }
}

/** The caller has escalated the oldest question. */
function isEscalatedBy([oldest]: readonly PendingQuestion[], caller: string): boolean {
  return oldest?.escalations?.some(({ by }) => by === caller) === true
}

async function readNewEvents(
  { engine, call }: Context,
  { id: sessionId, lastSeq }: Session,
  { afterSeq, outputLines }: Pick<ReportOptions, 'afterSeq' | 'outputLines'>,
) {
  const read = async (after: number, limit: number) =>
    (await engine.readEvents(call, { sessionId, after: Math.max(0, after), limit })).events
  // A caller that asks for a number of lines without a seq wants the last lines, new or not.
  const onlyNew = afterSeq === undefined && !outputLines
  const events = onlyNew
    ? await readSinceInteraction((count) => read(lastSeq - count, count))
    : await read(afterSeq === undefined ? lastSeq - MAX_EVENTS : afterSeq - CONTEXT_EVENTS, MAX_EVENTS)
  const from = afterSeq ?? (onlyNew ? lastInteractionSeq(events) : 0)
  const before = events.filter(({ seq }) => seq <= from)
  const newer = events.filter(({ seq }) => seq > from)
  const more = (events.at(-1)?.seq ?? lastSeq) < lastSeq
  const [shown, fresh] = [openedQuestions(before), openedQuestions(newer)]
  // A question whose opening event was not read may be new.
  const isNew = (id: string) => fresh.has(id) || (!shown.has(id) && (more || from === 0))
  return { before, events: newer, more, isNew }
}

/** Mostly a few events have it all: to read a hundred for each question would take part of the time of an answer. */
export async function readSinceInteraction(
  readLast: (count: number) => Promise<readonly StoredEvent[]>,
): Promise<readonly StoredEvent[]> {
  const few = await readLast(FEW_EVENTS)
  return few.length < FEW_EVENTS || isWhole(few) ? few : readLast(DEFAULT_EVENTS)
}

/** The last interaction is among them, and so is the begin of whatever has ended since. */
function isWhole(events: readonly StoredEvent[]): boolean {
  const from = lastInteractionSeq(events)
  if (from === 0) return false
  const begun = new Set<string>()
  for (const { seq, event } of events) {
    if (event.type === 'tool.used') begun.add(event.toolUseId)
    if (event.type === 'approval.opened' && begun.has(event.toolUseId ?? '')) begun.add(event.approvalId)
    const ended = seq > from ? endedBy(event) : undefined
    if (ended !== undefined && !begun.has(ended)) return false
  }
  return true
}

/** The id of the tool use or the question that ends with this event. */
function endedBy(event: StoredEvent['event']): string | undefined {
  if (event.type === 'tool.finished' || event.type === 'tool.refused') return event.toolUseId
  return event.type === 'approval.settled' ? event.approvalId : undefined
}

function openedQuestions(events: readonly StoredEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap(({ event }) => (event.type === 'approval.opened' ? [event.approvalId] : [])))
}

/** The seq of the last prompt or decision of a caller: they have seen what came before it. */
export function lastInteractionSeq(events: readonly StoredEvent[]): number {
  const last = events.findLast(
    ({ event }) =>
      event.type === 'prompt.accepted' ||
      (event.type === 'approval.settled' && event.by !== undefined && event.grantId === undefined),
  )
  return last?.seq ?? 0
}

const FEW_EVENTS = 20
const DEFAULT_EVENTS = 100
const MAX_EVENTS = 1_000
/** Events before the new ones, to know the names of tools that end now. */
const CONTEXT_EVENTS = 40
