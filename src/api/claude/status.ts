import { z } from 'zod'
import type { Session } from '../../sessions/session.ts'
import { fields, selector, whole } from '../../input-fields.ts'
import { type Context, defineOperation, waiting } from '../operation.ts'
import { lookAt } from './look.ts'
import { STATUS, StatusName, StatusView } from './status-view.ts'

/** Of one session, or of those that need someone. */
const AnyView = StatusView.partial().extend({
  status: StatusName,
  sessions: z
    .array(StatusView)
    .optional()
    .describe('Without sessionId: the sessions that need you or have just ended.'),
  active: z.number().optional().describe('How many others are at work.'),
  hint: z.string(),
})

export const status = defineOperation({
  name: 'claude_status',
  title: 'Wait for a session, and see how it stands',
  description:
    'Waits (25 seconds unless told otherwise) until a session needs an answer or has ended, and returns how it stands: status, what it said since you last said or decided something, and pendingQuestion when it asks for something. ' +
    'Look at what would run (pendingQuestion.input) and answer with claude_respond. If it is still active, call this again with afterSeq. Without sessionId it waits for all of your sessions at once.',
  input: fields({
    sessionId: selector(
      'sessionId',
      'The id (or name) of the session; without it, any of your sessions.',
    ).optional(),
    waitSeconds: waiting(
      'waitSeconds',
      'Wait up to so many seconds (at most 50) until it is not active; 0 looks at once.',
    ).default(25),
    afterSeq: whole(
      'afterSeq',
      0,
      Number.MAX_SAFE_INTEGER,
      'Only what happened behind this seq, which an earlier result had; 0 is everything.',
    ).optional(),
    outputLines: whole(
      'outputLines',
      0,
      10_000,
      'The last so many lines of output, whether they are new or not; if left out, at most 50 new ones. With afterSeq, of what is behind it.',
    ).optional(),
    fullInput: z
      .boolean('fullInput must be true or false.')
      .default(false)
      .describe('Show what would run in full, up to about 2 MB.'),
  }),
  output: AnyView,
  hints: { readOnlyHint: true, idempotentHint: true },
  waits: true,
  run: (context, { sessionId, ...look }) =>
    sessionId === undefined ? lookAtAll(context, look) : lookAt(context, { ...look, sessionId }),
  runAgain: (context, { sessionId, ...look }, { answered }) =>
    sessionId === undefined ? lookAtAll(context, look, answered) : lookAt(context, { ...look, sessionId }),
})

type How = Omit<Parameters<typeof lookAt>[1], 'sessionId' | 'afterSeq'>

/** `answered` is a session that was waiting when this call began. */
async function lookAtAll(
  context: Context,
  { waitSeconds, ...how }: How,
  answered?: string,
): Promise<z.infer<typeof AnyView>> {
  const { engine, who } = context
  const ended = answered === undefined ? [] : await endedSince(context, answered)
  const busy = await engine.listSessions(who, { status: ['running', 'waiting'] })
  // Where nothing is at work, nothing will happen; where something has, it is told.
  const seconds = ended.length > 0 ? 0 : waitSeconds
  const found = busy.length === 0 ? [] : await engine.waitFor(who, { seconds })
  const ready = [...ended, ...found.filter(({ id }) => id !== answered || ended.length === 0)]
  const sessions = await Promise.all(
    ready.slice(0, MOST).map(({ id }) => lookAt(context, { ...how, sessionId: id, waitSeconds: 0 })),
  )
  const left = busy.filter(({ id }) => !ready.some((one) => one.id === id))
  return { status: statusOf(ready, left), sessions, active: left.length, hint: hintOf(ready, left) }
}

/** The wait for any tells of an end only where it saw the beginning. */
async function endedSince({ engine, who }: Context, sessionId: string): Promise<Session[]> {
  const found = await engine.waitFor(who, { sessionIds: [sessionId], seconds: 0 })
  return found.filter(({ status: how }) => how !== 'waiting')
}

function statusOf(ready: readonly Session[], left: readonly Session[]): StatusName {
  if (ready.some((one) => one.status === 'waiting')) return 'awaiting_input'
  return left.length > 0 ? 'active' : STATUS[ready[0]?.status ?? 'done']
}

function hintOf(ready: readonly Session[], left: readonly Session[]): string {
  if (ready.some((one) => one.status === 'waiting'))
    return 'Answer each with claude_respond, then call claude_status again.'
  if (left.length > 0) return 'Nobody needs you yet: call claude_status again; it waits.'
  return 'None of your sessions is at work: claude_start begins one, claude_say goes on with one.'
}

/** Of the rest one is told when these are answered. */
const MOST = 10
