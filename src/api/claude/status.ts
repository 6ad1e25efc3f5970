import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import type { SessionKey } from '../../base/ids.ts'
import { strictFields, selector, wholeNumber } from '../../base/input-fields.ts'
import { type Context, defineOperation, waiting } from '../operation/operation.ts'
import { type OfferedRulesView, offeredRulesView } from '../views/offered-rules-view.ts'
import { AnyView, reportAny } from './any-session-report.ts'
import { decisionsOf } from './decisions.ts'
import { reportSession } from './session-report.ts'

export const status = defineOperation({
  name: 'claude_status',
  title: 'Wait for a session, and read its status',
  description:
    'Waits (25 seconds by default) until a session needs an answer or has ended; returns its status, its output since your last message or decision, and pendingQuestion when it asks for something. ' +
    'Check what would run (pendingQuestion.input) and answer with claude_respond. If it is still active, call this again with afterSeq.',
  input: strictFields({
    sessionId: selector('sessionId', 'Its id or name; without it, all of your sessions at once.').optional(),
    waitSeconds: waiting('waitSeconds', 'Seconds to wait until it is not active; 0 returns at once.').default(
      25,
    ),
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
      'How many of the last lines, new or not; by default at most 50 new lines.',
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
    offersFor: selector(
      'offersFor',
      'With sessionId: the id of a question; shows offeredRules, for rememberRule.',
    ).optional(),
  }),
  output: AnyView,
  hints: { readOnlyHint: true, idempotentHint: true },
  waits: true,
  run: async (context, { sessionId, afterSeq, decisions, offersFor, ...options }) => {
    if (sessionId === undefined) {
      requireNone({ afterSeq, decisions, offersFor })
      return reportAny(context, options)
    }
    const named = { ...options, sessionId, afterSeq }
    if (decisions === undefined && offersFor === undefined) return reportSession(context, named)
    // What was asked for is there already, so there is nothing to wait for.
    const shown = {
      ...(decisions === undefined ? {} : { decisions: await decisionsOf(context, sessionId, decisions) }),
      ...(offersFor === undefined ? {} : { offeredRules: await offersOf(context, sessionId, offersFor) }),
    }
    return { ...(await reportSession(context, { ...named, waitSeconds: 0 })), ...shown }
  },
})

async function offersOf(
  { engine, call }: Context,
  sessionId: SessionKey,
  approvalId: string,
): Promise<OfferedRulesView> {
  return offeredRulesView(await engine.offerRules(call, { approvalId, sessionId }))
}

/** What is about one session. */
function requireNone(fields: Readonly<Record<string, unknown>>): void {
  const field = Object.keys(fields).find((name) => fields[name] !== undefined)
  if (field !== undefined)
    throw new AppError('invalid_input', `${field} is about one session; give its sessionId too.`, {
      data: { field },
    })
}
