import { z } from 'zod'
import type { PendingQuestion } from '../../engine/engine.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { TurnPage } from '../../sessions/record/read-turn.ts'
import { needsAnswer } from '../../sessions/record/at-work.ts'
import type { Session } from '../../sessions/record/session.ts'
import { ApprovalView, approvalView } from '../views/approval-view.ts'
import { strictFields, selector, wholeNumber } from '../../base/input-fields.ts'
import { type Context, waiting } from '../operation/operation.ts'
import { ownQuestions } from '../operation/wait-for-any-session.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../operation/plexus-operation.ts'
import { eventView, EventView } from './event-view.ts'
import { sessionSummary, SessionSummary, treeIdOf } from './session-view.ts'

const PollView = SessionSummary.extend({
  type: z.literal('ok'),
  events: z.array(EventView),
  pending_approvals: z.array(ApprovalView),
  turn: z.number().describe('The turn of these events; each prompt that is not queued begins a turn.'),
  read_position: z.number().describe('The next seq to read.'),
  total_events: z.number().describe('How many events this turn has so far.'),
  has_more: z.boolean().describe('There are more events already: poll again.'),
})
type PollView = z.infer<typeof PollView>

export const poll = definePlexusOperation({
  name: 'claudecode.poll',
  title: 'Read the events and questions of a session',
  description:
    'Returns the events of a session since your last poll, and pending_approvals: what it asks for now. With wait_seconds it returns as soon as something has happened. ' +
    'Answer with loopback.respond and poll again, until status is complete or failed and has_more is false. Several callers can read one session, each with its own reader.',
  input: strictFields({
    ...ONE_SESSION,
    reader: selector(
      'reader',
      'A name for a reader: each reader has its own position, and misses nothing.',
    ).optional(),
    from_seq: wholeNumber(
      'from_seq',
      0,
      Number.MAX_SAFE_INTEGER,
      'Start at this seq of the turn, whatever was read already.',
    ).optional(),
    turn: wholeNumber(
      'turn',
      0,
      Number.MAX_SAFE_INTEGER,
      'With from_seq: the turn; the last turn by default.',
    ).optional(),
    limit: wholeNumber(
      'limit',
      0,
      Number.MAX_SAFE_INTEGER,
      'The most events to return (at most 1000); 0 returns none and moves no position.',
    ).default(100),
    wait_seconds: waiting(
      'wait_seconds',
      'How many seconds to wait for something to happen (at most 50).',
    ).default(0),
  }),
  output: PollView,
  hints: { readOnlyHint: true },
  waits: true,
  run: async (context, { wait_seconds, reader, from_seq, turn, limit, ...named }) => {
    const { engine, call } = context
    const query = {
      sessionId: sessionNamed(named),
      reader: reader ?? `caller ${call.caller.id}`,
      from: from_seq,
      turn,
      limit,
      // Without a reader name the caller wants the last turn, so the rest of an earlier, ended turn is skipped.
      skipTails: reader === undefined,
    }
    const page = await waitForPage(context, () => engine.readTurn(call, query), wait_seconds)
    const { session } = page
    const asked = needsAnswer(session) ? await engine.pending(call, { sessionId: session.id }) : []
    context.memory?.noteShown(page.more ? [] : [session], await ownQuestions(context, [session], asked))
    return pollView(context, page, asked)
  },
})

/** Returns the first page with news, or the last page when time is up. */
async function waitForPage(
  { engine, call, waitedMs = 0 }: Context,
  read: () => Promise<TurnPage>,
  seconds: number,
): Promise<TurnPage> {
  let page = await read()
  if (seconds === 0 || hasNews(page)) return page
  const { id: sessionId, lastSeq: after } = page.session
  const late = AbortSignal.timeout(Math.max(0, seconds * 1_000 - waitedMs))
  const signal = call.signal ? AbortSignal.any([call.signal, late]) : late
  for await (const _ of engine.followEvents({ ...call, signal }, { sessionId, after })) {
    page = await read()
    if (hasNews(page)) break
  }
  return page
}

/** There are events, or a question, or the session will do nothing more by itself. */
function hasNews({ session, events, more }: TurnPage): boolean {
  return events.length > 0 || more || !(session.status === 'running' || runsOutside(session))
}

/** The process was started outside Plexus, so it may ask at any time. */
function runsOutside({ status, config }: Session): boolean {
  return status === 'idle' && config.carrier === 'mcp'
}

async function pollView(
  context: Context,
  page: TurnPage,
  asked: readonly PendingQuestion[],
): Promise<PollView> {
  const { session, turn, events, position, total, more, gap } = page
  const turnContext = { session, turn, treeId: await treeIdOf(context, session) }
  const missing = gap && { from_seq: gap.from - turn.firstSeq, to_seq: gap.to - turn.firstSeq }
  return {
    type: 'ok',
    ...sessionSummary(session, context.ask),
    turn: turn.number,
    events: events.map((stored) => eventView(stored, turnContext)),
    pending_approvals: asked.map((question) => approvalView(question, session)),
    read_position: position,
    total_events: total,
    has_more: more,
    ...definedFields({ missing }),
  }
}
