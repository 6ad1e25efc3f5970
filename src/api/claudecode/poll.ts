import { z } from 'zod'
import type { PendingQuestion } from '../../engine/engine.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { TurnPage } from '../../sessions/record/read-turn.ts'
import type { Session } from '../../sessions/record/session.ts'
import { ApprovalView, approvalView } from '../views/approval-view.ts'
import { strictFields, selector, wholeNumber } from '../../base/input-fields.ts'
import { type Context, waiting } from '../operation/operation.ts'
import { ownQuestions } from '../operation/wait-for-any-session.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../operation/plexus-operation.ts'
import { eventView, EventView } from './event-view.ts'
import { standing, Standing, treeIdOf } from './view.ts'

const PollView = Standing.extend({
  type: z.literal('ok'),
  events: z.array(EventView),
  pending_approvals: z.array(ApprovalView),
  turn: z.number().describe('Which turn these events are of; each prompt that is not queued begins one.'),
  read_position: z.number().describe('The seq that comes next.'),
  total_events: z.number().describe('How many events this turn has so far.'),
  has_more: z.boolean().describe('There are more already: poll again.'),
})
type PollView = z.infer<typeof PollView>

export const poll = definePlexusOperation({
  name: 'claudecode.poll',
  title: 'Read what a session does, and what it asks',
  description:
    'Returns what happened in a session since you last polled, and pending_approvals: what it asks for now. With wait_seconds it returns as soon as something has happened. ' +
    'Answer with loopback.respond and poll again, until status is complete or failed and has_more is false. Several can read one session, each with a reader of its own.',
  input: strictFields({
    ...ONE_SESSION,
    reader: selector(
      'reader',
      'A name for who reads: each has a place of its own, and misses nothing.',
    ).optional(),
    from_seq: wholeNumber(
      'from_seq',
      0,
      Number.MAX_SAFE_INTEGER,
      'From this seq of the turn on, whatever was read already.',
    ).optional(),
    turn: wholeNumber(
      'turn',
      0,
      Number.MAX_SAFE_INTEGER,
      'With from_seq: of this turn; the last if left out.',
    ).optional(),
    limit: wholeNumber(
      'limit',
      0,
      Number.MAX_SAFE_INTEGER,
      'At most so many events (never more than 1000); 0 only looks.',
    ).default(100),
    wait_seconds: waiting(
      'wait_seconds',
      'Wait up to so many seconds (at most 50) for something to happen.',
    ).default(0),
  }),
  output: PollView,
  hints: { readOnlyHint: true },
  waits: true,
  run: async (context, { wait_seconds, reader, from_seq, turn, limit, ...named }) => {
    const { engine, who } = context
    const wish = {
      sessionId: sessionNamed(named),
      reader: reader ?? `caller ${who.caller.id}`,
      from: from_seq,
      turn,
      limit,
      // Who gives no name wants the last chat; nobody is made to read what trails behind the one before.
      skipTails: reader === undefined,
    }
    const page = await news(context, () => engine.readTurn(who, wish), wait_seconds)
    const { session } = page
    const asked = session.status === 'waiting' ? await engine.pending(who, { sessionId: session.id }) : []
    context.atWork?.shows(page.more ? [] : [session], await ownQuestions(context, [session], asked))
    return viewOf(context, page, asked)
  },
})

/** The first page that says something, or the last one when time is up. */
async function news(
  { engine, who }: Context,
  read: () => Promise<TurnPage>,
  seconds: number,
): Promise<TurnPage> {
  let page = await read()
  if (seconds === 0 || isNews(page)) return page
  const { id: sessionId, lastSeq: after } = page.session
  const late = AbortSignal.timeout(seconds * 1_000)
  const signal = who.signal ? AbortSignal.any([who.signal, late]) : late
  for await (const _ of engine.followEvents({ ...who, signal }, { sessionId, after })) {
    page = await read()
    if (isNews(page)) break
  }
  return page
}

/** Something happened, something is asked, or nothing more will happen by itself. */
function isNews({ session, events, more }: TurnPage): boolean {
  return events.length > 0 || more || !(session.status === 'running' || isElsewhere(session))
}

/** Its process is not ours, so nobody knows whether it will ask. */
function isElsewhere({ status, config }: Session): boolean {
  return status === 'idle' && config.carrier === 'mcp'
}

async function viewOf(
  context: Context,
  page: TurnPage,
  asked: readonly PendingQuestion[],
): Promise<PollView> {
  const { session, turn, events, position, total, more, gap } = page
  const around = { session, turn, treeId: await treeIdOf(context, session) }
  const missing = gap && { from_seq: gap.from - turn.firstSeq, to_seq: gap.to - turn.firstSeq }
  return {
    type: 'ok',
    ...standing(session, context.ask),
    turn: turn.number,
    events: events.map((stored) => eventView(stored, around)),
    pending_approvals: asked.map((one) => approvalView(one, session)),
    read_position: position,
    total_events: total,
    has_more: more,
    ...definedFields({ missing }),
  }
}
