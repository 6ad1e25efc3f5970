import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import { needsAnswer } from '../../sessions/record/at-work.ts'
import type { Session } from '../../sessions/record/session.ts'
import { strictFields, selector, wholeNumber } from '../../base/input-fields.ts'
import { type Context, defineOperation, waiting } from '../operation/operation.ts'
import { ownQuestions, waitForAny } from '../operation/wait-for-any-session.ts'
import { Decided, decisionsOf } from './decisions.ts'
import { reportSession, readReport } from './session-report.ts'
import { STATUS, StatusName, StatusView } from './status-view.ts'

/** The status of one session, or of all sessions that need an answer or have ended. */
const AnyView = StatusView.partial().extend({
  status: StatusName,
  sessions: z
    .array(StatusView)
    .optional()
    .describe(
      'Without sessionId: the sessions that need you, and those that have ended since your last call.',
    ),
  decisions: z.array(Decided).optional().describe('The decisions, newest question first.'),
  active: z.number().optional().describe('How many other sessions are at work.'),
  hint: z.string(),
})

export const status = defineOperation({
  name: 'claude_status',
  title: 'Wait for a session, and read its status',
  description:
    'Waits (25 seconds by default) until a session needs an answer or has ended, and returns its status, its output since your last message or decision, and pendingQuestion when it asks for something. ' +
    'Check what would run (pendingQuestion.input) and answer with claude_respond. If it is still active, call this again with afterSeq. Without sessionId it waits for all of your sessions at once.',
  input: strictFields({
    sessionId: selector('sessionId', 'Its id or name; without it, any of your sessions.').optional(),
    waitSeconds: waiting(
      'waitSeconds',
      'How many seconds to wait until it is not active; 0 returns at once.',
    ).default(25),
    afterSeq: wholeNumber(
      'afterSeq',
      0,
      Number.MAX_SAFE_INTEGER,
      'With sessionId: only what happened after this seq of an earlier result; 0 is everything.',
    ).optional(),
    outputLines: wholeNumber(
      'outputLines',
      0,
      10_000,
      'How many of the last lines of output, new or not; by default at most 50 new lines.',
    ).optional(),
    knownQuestions: z
      .array(selector('knownQuestions'), 'knownQuestions must be a list of ids.')
      .max(500, 'knownQuestions may have at most 500 entries.')
      .optional()
      .describe('Ids of questions that you leave open: they do not end the wait.'),
    fullInput: z
      .boolean('fullInput must be true or false.')
      .default(false)
      .describe('Show what would run in full, up to about 2 MB.'),
    decisions: selector(
      'decisions',
      'With sessionId: "last" shows the last 20 decisions, the id of a question only that decision.',
    ).optional(),
  }),
  output: AnyView,
  hints: { readOnlyHint: true, idempotentHint: true },
  waits: true,
  run: async (context, { sessionId, afterSeq, decisions, ...options }) => {
    if (sessionId !== undefined && decisions !== undefined) {
      const decided = await decisionsOf(context, sessionId, decisions)
      return {
        ...(await reportSession(context, { ...options, sessionId, afterSeq, waitSeconds: 0 })),
        decisions: decided,
      }
    }
    if (sessionId !== undefined) return reportSession(context, { ...options, sessionId, afterSeq })
    if (afterSeq !== undefined)
      throw new AppError(
        'invalid_input',
        'afterSeq needs a sessionId, because each session has its own seq; give both.',
        {
          data: { field: 'afterSeq' },
        },
      )
    if (decisions !== undefined)
      throw new AppError('invalid_input', 'decisions needs a sessionId; give both.', {
        data: { field: 'decisions' },
      })
    return reportAny(context, options)
  },
})

type ReportAnyOptions = Omit<Parameters<typeof reportSession>[1], 'sessionId' | 'afterSeq'>

async function reportAny(
  context: Context,
  { waitSeconds, knownQuestions, ...options }: ReportAnyOptions,
): Promise<z.infer<typeof AnyView>> {
  // If no session is at work, there is nothing to wait for.
  const { ready, left } = await waitForAny(
    context,
    (busy) => (busy.length === 0 ? 0 : waitSeconds),
    knownQuestions,
  )
  const first = ready.length > MAX_SHOWN ? await newFirst(context, ready) : ready
  const reports = await Promise.all(
    first
      .slice(0, MAX_SHOWN)
      .map(({ id }) => readReport(context, { ...options, sessionId: id, waitSeconds: 0 })),
  )
  const sessions = reports.map(({ session }) => session)
  const asked = reports.flatMap((report) => report.asked)
  context.memory?.noteShown(sessions, await ownQuestions(context, sessions, asked))
  return {
    status: statusOf(ready, left),
    sessions: reports.map(({ view }) => view),
    active: left.length,
    hint: hintOf(ready, left, context.memory?.isShared !== false),
  }
}

function statusOf(ready: readonly Session[], left: readonly Session[]): StatusName {
  if (ready.some(needsAnswer)) return 'awaiting_input'
  return left.length > 0 ? 'active' : STATUS[ready[0]?.status ?? 'done']
}

/** Sessions with something new come first, so that repeated calls show all of them. */
async function newFirst({ engine, call, memory }: Context, ready: readonly Session[]): Promise<Session[]> {
  const known = new Set(memory?.questions)
  const fresh = (await engine.pending(call, {})).filter(({ id }) => !known.has(id))
  const ids = new Set(fresh.map(({ sessionId }) => sessionId))
  const isNew = (session: Session) => !needsAnswer(session) || ids.has(session.id)
  return [...ready.filter(isNew), ...ready.filter((session) => !isNew(session))]
}

function hintOf(ready: readonly Session[], left: readonly Session[], forgets: boolean): string {
  if (ready.some(needsAnswer))
    return forgets
      ? 'Answer each with claude_respond, then call claude_status again; list the questions that you leave open in knownQuestions.'
      : 'Answer each with claude_respond, then call claude_status again; it waits for what is new.'
  if (left.length > 0 && ready.length > 0)
    return 'These sessions have ended, others are at work: call claude_status again; it waits for them.'
  if (left.length > 0) return 'No session needs you yet: call claude_status again; it waits.'
  return 'None of your sessions is at work: claude_start starts a session, claude_say resumes one.'
}

/** The next call shows the others. */
const MAX_SHOWN = 10
