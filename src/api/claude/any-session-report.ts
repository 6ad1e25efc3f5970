import { z } from 'zod'
import { needsAnswer } from '../../sessions/record/at-work.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Context } from '../operation/operation.ts'
import { ownQuestions, waitForAny } from '../operation/wait-for-any-session.ts'
import { OfferedRulesView } from '../views/offered-rules-view.ts'
import { Decided } from './decisions.ts'
import { type reportSession, readReport } from './session-report.ts'
import { STATUS, StatusName, StatusView } from './status-view.ts'

/** The status of one session, or of all sessions that need an answer or have ended. */
export const AnyView = StatusView.partial().extend({
  status: StatusName,
  sessions: z
    .array(StatusView)
    .optional()
    .describe(
      'Without sessionId: the sessions that need you, and those that have ended since your last call.',
    ),
  decisions: z.array(Decided).optional().describe('The decisions, newest question first.'),
  offeredRules: OfferedRulesView.optional(),
  active: z.number().optional().describe('How many other sessions are at work.'),
  hint: z.string(),
})

type ReportAnyOptions = Omit<Parameters<typeof reportSession>[1], 'sessionId' | 'afterSeq'>

/** Waits until any session of the caller needs an answer or has ended, and reports all that do. */
export async function reportAny(
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
