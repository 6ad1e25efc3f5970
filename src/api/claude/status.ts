import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import { strictFields, selector, wholeNumber } from '../../base/input-fields.ts'
import { type Context, defineOperation, waiting } from '../operation/operation.ts'
import { ownQuestions, waitForAny } from '../operation/wait-for-any-session.ts'
import { Decided, decisionsOf } from './decisions.ts'
import { lookAt, lookFor } from './session-report.ts'
import { STATUS, StatusName, StatusView } from './status-view.ts'

/** Of one session, or of those that need someone. */
const AnyView = StatusView.partial().extend({
  status: StatusName,
  sessions: z
    .array(StatusView)
    .optional()
    .describe(
      'Without sessionId: the sessions that need you, and those that have ended since you last looked.',
    ),
  decisions: z.array(Decided).optional().describe('What was decided, what was asked last first.'),
  active: z.number().optional().describe('How many others are at work.'),
  hint: z.string(),
})

export const status = defineOperation({
  name: 'claude_status',
  title: 'Wait for a session, and see how it stands',
  description:
    'Waits (25 seconds unless told otherwise) until a session needs an answer or has ended, and returns how it stands: status, what it said since you last said or decided something, and pendingQuestion when it asks for something. ' +
    'Look at what would run (pendingQuestion.input) and answer with claude_respond. If it is still active, call this again with afterSeq. Without sessionId it waits for all of your sessions at once.',
  input: strictFields({
    sessionId: selector('sessionId', 'Its id or name; without it, any of your sessions.').optional(),
    waitSeconds: waiting(
      'waitSeconds',
      'Wait up to so many seconds until it is not active; 0 looks at once.',
    ).default(25),
    afterSeq: wholeNumber(
      'afterSeq',
      0,
      Number.MAX_SAFE_INTEGER,
      'With sessionId: only what happened behind this seq of an earlier result; 0 is everything.',
    ).optional(),
    outputLines: wholeNumber(
      'outputLines',
      0,
      10_000,
      'The last so many lines of output, new or not; at most 50 new ones if left out.',
    ).optional(),
    knownQuestions: z
      .array(selector('knownQuestions'), 'knownQuestions must be a list of ids.')
      .max(500, 'knownQuestions may have at most 500 entries.')
      .optional()
      .describe('Ids of questions that you leave open: the wait goes on until something else happens.'),
    fullInput: z
      .boolean('fullInput must be true or false.')
      .default(false)
      .describe('Show what would run in full, up to about 2 MB.'),
    decisions: selector(
      'decisions',
      'With sessionId: "last" shows the last 20 decisions, the id of a question that one.',
    ).optional(),
  }),
  output: AnyView,
  hints: { readOnlyHint: true, idempotentHint: true },
  waits: true,
  run: async (context, { sessionId, afterSeq, decisions, ...look }) => {
    if (sessionId !== undefined && decisions !== undefined) {
      const decided = await decisionsOf(context, sessionId, decisions)
      return {
        ...(await lookAt(context, { ...look, sessionId, afterSeq, waitSeconds: 0 })),
        decisions: decided,
      }
    }
    if (sessionId !== undefined) return lookAt(context, { ...look, sessionId, afterSeq })
    if (afterSeq !== undefined)
      throw new AppError('invalid_input', 'afterSeq is a seq of one session: give its sessionId too.', {
        data: { field: 'afterSeq' },
      })
    if (decisions !== undefined)
      throw new AppError('invalid_input', 'decisions are those of one session: give its sessionId too.', {
        data: { field: 'decisions' },
      })
    return lookAtAll(context, look)
  },
})

type How = Omit<Parameters<typeof lookAt>[1], 'sessionId' | 'afterSeq'>

async function lookAtAll(
  context: Context,
  { waitSeconds, knownQuestions, ...how }: How,
): Promise<z.infer<typeof AnyView>> {
  // Where nothing is at work, nothing will happen.
  const { ready, left } = await waitForAny(
    context,
    (busy) => (busy.length === 0 ? 0 : waitSeconds),
    knownQuestions,
  )
  const first = ready.length > MOST ? await newFirst(context, ready) : ready
  const looks = await Promise.all(
    first.slice(0, MOST).map(({ id }) => lookFor(context, { ...how, sessionId: id, waitSeconds: 0 })),
  )
  const sessions = looks.map(({ session }) => session)
  const asked = looks.flatMap((look) => look.asked)
  context.atWork?.shows(sessions, await ownQuestions(context, sessions, asked))
  return {
    status: statusOf(ready, left),
    sessions: looks.map(({ view }) => view),
    active: left.length,
    hint: hintOf(ready, left, context.atWork?.isShared !== false),
  }
}

function statusOf(ready: readonly Session[], left: readonly Session[]): StatusName {
  if (ready.some((one) => one.status === 'waiting')) return 'awaiting_input'
  return left.length > 0 ? 'active' : STATUS[ready[0]?.status ?? 'done']
}

/** What the caller has not seen stands in front, so that the next call comes to the rest. */
async function newFirst({ engine, who, atWork }: Context, ready: readonly Session[]): Promise<Session[]> {
  const known = new Set(atWork?.knownQuestions)
  const fresh = (await engine.pending(who, {})).filter(({ id }) => !known.has(id))
  const ids = new Set(fresh.map(({ sessionId }) => sessionId))
  const isNew = ({ id, status: how }: Session) => how !== 'waiting' || ids.has(id)
  return [...ready.filter(isNew), ...ready.filter((one) => !isNew(one))]
}

function hintOf(ready: readonly Session[], left: readonly Session[], forgets: boolean): string {
  if (ready.some((one) => one.status === 'waiting'))
    return forgets
      ? 'Answer each with claude_respond, then call claude_status again; name those that you leave open in knownQuestions.'
      : 'Answer each with claude_respond, then call claude_status again; it waits for what is new.'
  if (left.length > 0 && ready.length > 0)
    return 'These have ended, others are at work: call claude_status again; it waits for those.'
  if (left.length > 0) return 'Nobody needs you yet: call claude_status again; it waits.'
  return 'None of your sessions is at work: claude_start begins one, claude_say goes on with one.'
}

/** Of the rest one is told by the next call. */
const MOST = 10
