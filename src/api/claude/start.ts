import { z } from 'zod'
import { commandHint } from '../../engine/prompt-or-command.ts'
import { AppError } from '../../base/errors.ts'
import { defineOperation, waiting } from '../operation/operation.ts'
import { BESIDE, createFrom, prompt, START_SHAPE } from '../operation/start-input.ts'
import { movedHint, withOptions } from '../operation/options-field.ts'
import { hintAfterNotice, joinHints, WAIT } from './hints.ts'
import { reportSession } from './session-report.ts'
import { StatusView } from './status-view.ts'

const StartView = StatusView.partial().required({ sessionId: true, status: true })

export const start = defineOperation({
  name: 'claude_start',
  title: 'Start a Claude Code session',
  description:
    'Starts a Claude Code session that works on a task by itself; returns its sessionId at once (with waitSeconds: when it needs you or is done). ' +
    'It asks you before it does what it may not do unasked: call claude_status next, which waits for a question or a result, and answer with claude_respond. ' +
    'Several can run at once.',
  ...withOptions(
    {
      prompt: prompt('prompt', 'The task'),
      ...START_SHAPE,
      waitSeconds: waiting('waitSeconds', 'Wait for a question or the end; 0 by default.').default(0),
    },
    { beside: ['prompt', ...BESIDE, 'waitSeconds'] },
  ),
  output: StartView,
  hints: { destructiveHint: true, openWorldHint: true },
  waits: true,
  begins: true,
  runAgain: async (context, { waitSeconds }, sessionId) => {
    if (sessionId === undefined) throw new AppError('busy', START_UNKNOWN)
    return reportSession(context, { sessionId, waitSeconds })
  },
  run: async (context, { prompt: content, waitSeconds, moved, ...options }) => {
    const { engine, call } = context
    const input = { ...createFrom(context, options), content }
    const { id: sessionId, notLoaded } = await engine.createSession(call, input)
    context.memory?.noteWorking([sessionId])
    const notice = joinHints(context.notice?.(), movedHint(moved), commandHint(content))
    if (waitSeconds > 0) {
      const report = await reportSession(context, { sessionId, waitSeconds })
      return { ...report, hint: hintAfterNotice(notice, report.hint) }
    }
    const hint = hintAfterNotice(notice, WAIT)
    return { sessionId, status: 'active' as const, ...(notLoaded ? { notLoaded } : {}), hint }
  },
})

const START_UNKNOWN =
  'The hub ended before it answered; check with claude_list whether the session was started before you start it again.'

type StartView = z.infer<typeof StartView>
