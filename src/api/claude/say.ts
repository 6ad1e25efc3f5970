import { promptOrCommand } from '../../engine/prompt-or-command.ts'
import { AppError } from '../../base/errors.ts'
import { SessionId, type SessionKey } from '../../base/ids.ts'
import { StartOptions } from '../../child/launch/start-options.ts'
import type { Session } from '../../sessions/record/session.ts'
import { strictFields, selector } from '../../base/input-fields.ts'
import { type Context, defineOperation, waiting } from '../operation/operation.ts'
import { CommandName, prompt } from '../operation/start-input.ts'
import { hintAfterNotice, WAIT } from './hints.ts'
import { reportSession } from './session-report.ts'
import { StatusView } from './status-view.ts'
import { z } from 'zod'

const SayView = StatusView.partial()
  .required({ sessionId: true, status: true })
  .extend({ queued: z.boolean().optional() })

export const say = defineOperation({
  name: 'claude_say',
  title: 'Say something to a session',
  description:
    'Sends a message (or a command) to a session: resumes it if it is done, was interrupted or failed, and so any other conversation that claude_list shows. ' +
    'While a turn runs, the message waits for it (queued: true); with permissionMode that turn is interrupted first. Then wait with claude_status.',
  input: strictFields({
    sessionId: selector('sessionId', 'Its id or name.'),
    message: prompt('message', 'What to say').optional(),
    command: CommandName.optional(),
    permissionMode: StartOptions.shape.permissionMode
      .unwrap()
      .exclude(['cli'])
      .optional()
      .describe('Continue in this mode.'),
    fork: z
      .boolean('fork must be true or false.')
      .optional()
      .describe('Continue in a copy (a new sessionId), also while it is open elsewhere.'),
    waitSeconds: waiting('waitSeconds', 'Wait for a question or the end; 0 by default.').default(0),
  }),
  output: SayView,
  hints: { destructiveHint: true, openWorldHint: true },
  waits: true,
  // A fork is known only by the first result. Otherwise that result may name a session below, so the input counts.
  runAgain: (context, { sessionId, fork, waitSeconds }, resultId = sessionId) =>
    reportSession(context, { sessionId: fork ? resultId : sessionId, waitSeconds }),
  run: async (context, { sessionId: named, message, command, permissionMode, fork, waitSeconds }) => {
    const { engine, call } = context
    const said = promptOrCommand('message', { content: message, command })
    const session = fork
      ? await engine.fork(call, { sessionId: named })
      : await sessionToResume(context, named)
    const sessionId = session.id
    // The mode is set first, because an open question of the old mode would block the message.
    if (permissionMode !== undefined)
      await engine.setMode(call, { sessionId, mode: permissionMode, interrupt: true })
    const { queued, hint: notice } = await engine.startTurn(call, { sessionId, ...said })
    context.memory?.noteWorking([sessionId])
    const queuedField = queued ? { queued } : {}
    if (waitSeconds > 0) {
      const report = await reportSession(context, { sessionId, waitSeconds })
      return { ...report, ...queuedField, hint: hintAfterNotice(notice, report.hint) }
    }
    if (queued && session.status === 'waiting')
      return {
        sessionId,
        status: 'awaiting_input' as const,
        ...queuedField,
        hint: hintAfterNotice(notice, ANSWER_FIRST),
      }
    return { sessionId, status: 'active' as const, ...queuedField, hint: hintAfterNotice(notice, WAIT) }
  },
})

/** If Plexus has no such session, the CLI may have such a conversation. */
async function sessionToResume({ engine, call }: Context, sessionId: SessionKey): Promise<Session> {
  try {
    return await engine.getSession(call, { sessionId })
  } catch (error) {
    const resume = SessionId.safeParse(sessionId).data
    if (!(error instanceof AppError) || error.code !== 'not_found' || resume === undefined) throw error
    return engine.createSession(call, { options: StartOptions.parse({}), resume })
  }
}

const ANSWER_FIRST =
  'The session waits for an answer and reads this message after it: call claude_status, then claude_respond.'
