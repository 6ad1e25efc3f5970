import { promptOrCommand } from '../../engine/prompt-or-command.ts'
import { AppError } from '../../base/errors.ts'
import { StartOptions } from '../../child/launch/start-options.ts'
import type { Session } from '../../sessions/record/session.ts'
import { strictFields, selector } from '../../base/input-fields.ts'
import { type Context, defineOperation, waiting } from '../operation/operation.ts'
import { CommandName, prompt } from '../operation/start-input.ts'
import { hintBehind, WAIT } from './hints.ts'
import { lookAt } from './session-report.ts'
import { StatusView } from './status-view.ts'
import { z } from 'zod'

const SayView = StatusView.partial()
  .required({ sessionId: true, status: true })
  .extend({ queued: z.boolean().optional() })

export const say = defineOperation({
  name: 'claude_say',
  title: 'Say something to a session',
  description:
    'Sends a message (or a command) to a session: goes on with one that is done, was interrupted or failed, also with any other conversation that claude_list shows. ' +
    'While a turn goes on the message waits for it (queued: true); with permissionMode that turn is interrupted first. Then wait with claude_status.',
  input: strictFields({
    sessionId: selector('sessionId', 'Its id or name.'),
    message: prompt('message', 'What to say').optional(),
    command: CommandName.optional(),
    permissionMode: StartOptions.shape.permissionMode
      .unwrap()
      .exclude(['cli'])
      .optional()
      .describe('Go on in this mode.'),
    fork: z
      .boolean('fork must be true or false.')
      .optional()
      .describe('Go on in a copy (a new sessionId), also while it is open elsewhere.'),
    waitSeconds: waiting('waitSeconds', 'Wait so long for a question or the end; 0 if left out.').default(0),
  }),
  output: SayView,
  hints: { destructiveHint: true, openWorldHint: true },
  waits: true,
  // The copy is known by what was told; else what was told may be of a session below.
  runAgain: (context, { sessionId, fork, waitSeconds }, told = sessionId) =>
    lookAt(context, { sessionId: fork ? told : sessionId, waitSeconds }),
  run: async (context, { sessionId: named, message, command, permissionMode, fork, waitSeconds }) => {
    const { engine, who } = context
    const said = promptOrCommand('message', { content: message, command })
    const session = fork ? await engine.fork(who, { sessionId: named }) : await sessionToGoOn(context, named)
    const sessionId = session.id
    // A question of the old mode would stand in the way of what is said now.
    if (permissionMode !== undefined)
      await engine.setMode(who, { sessionId, mode: permissionMode, interrupt: true })
    const { queued, hint: misread } = await engine.startTurn(who, { sessionId, ...said })
    context.atWork?.note([sessionId])
    const told = queued ? { queued } : {}
    if (waitSeconds > 0) {
      const seen = await lookAt(context, { sessionId, waitSeconds })
      return { ...seen, ...told, hint: hintBehind(misread, seen.hint) }
    }
    if (queued && session.status === 'waiting')
      return {
        sessionId,
        status: 'awaiting_input' as const,
        ...told,
        hint: hintBehind(misread, ANSWER_FIRST),
      }
    return { sessionId, status: 'active' as const, ...told, hint: hintBehind(misread, WAIT) }
  },
})

/** One that Plexus does not have may be one that the CLI has. */
async function sessionToGoOn({ engine, who }: Context, sessionId: string): Promise<Session> {
  try {
    return await engine.getSession(who, { sessionId })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found' || !z.uuid().safeParse(sessionId).success)
      throw error
    return engine.createSession(who, { options: StartOptions.parse({}), resume: sessionId })
  }
}

const ANSWER_FIRST =
  'It waits for an answer, and reads this after it: call claude_status, then claude_respond.'
