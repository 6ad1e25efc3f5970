import { z } from 'zod'
import { commandHint } from '../../engine/prompt-or-command.ts'
import { AppError } from '../../base/errors.ts'
import { defineOperation, waiting } from '../operation/operation.ts'
import { BESIDE, createFrom, prompt, START_SHAPE } from '../operation/start-input.ts'
import { movedHint, withOptions } from '../operation/options-field.ts'
import { hintBehind, hintsOf, WAIT } from './hints.ts'
import { lookAt } from './session-report.ts'
import { StatusView } from './status-view.ts'

const StartView = StatusView.partial().required({ sessionId: true, status: true })

export const start = defineOperation({
  name: 'claude_start',
  title: 'Start a Claude Code session',
  description:
    'Starts a Claude Code session that works on a task by itself, and returns its sessionId at once (with waitSeconds: when it needs you or is done). ' +
    'Whatever it may not do unasked it asks you for: call claude_status next, which waits until there is a question or a result, and answer with claude_respond. ' +
    'Several sessions can run at once.',
  ...withOptions(
    {
      prompt: prompt('prompt', 'The task'),
      ...START_SHAPE,
      waitSeconds: waiting('waitSeconds', 'Wait so long for a question or the end; 0 if left out.').default(
        0,
      ),
    },
    { beside: ['prompt', ...BESIDE, 'waitSeconds'] },
  ),
  output: StartView,
  hints: { destructiveHint: true, openWorldHint: true },
  waits: true,
  begins: true,
  runAgain: async (context, { waitSeconds }, sessionId) => {
    if (sessionId === undefined) throw new AppError('busy', NOT_KNOWN)
    return lookAt(context, { sessionId, waitSeconds })
  },
  run: async (context, { prompt: content, waitSeconds, moved, ...options }) => {
    const { engine, who } = context
    const wish = { ...createFrom(context, options), content }
    const { id: sessionId, notLoaded } = await engine.createSession(who, wish)
    context.memory?.noteWorking([sessionId])
    const aside = hintsOf(context.notice?.(), movedHint(moved), commandHint(content))
    if (waitSeconds > 0) {
      const seen = await lookAt(context, { sessionId, waitSeconds })
      return { ...seen, hint: hintBehind(aside, seen.hint) }
    }
    const hint = hintBehind(aside, WAIT)
    return { sessionId, status: 'active' as const, ...(notLoaded ? { notLoaded } : {}), hint }
  },
})

const NOT_KNOWN =
  'The hub went away before it answered; see with claude_list whether the session was started before you start it again.'

export type StartView = z.infer<typeof StartView>
