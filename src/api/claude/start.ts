import { z } from 'zod'
import { commandHint } from '../../engine/what-is-said.ts'
import { fields } from '../../input-fields.ts'
import { defineOperation, waiting } from '../operation.ts'
import { createFrom, Prompt, START_SHAPE } from '../start-input.ts'
import { hintBehind, WAIT } from './hints.ts'
import { lookAt } from './look.ts'
import { StatusView } from './status-view.ts'

const StartView = StatusView.partial().required({ sessionId: true, status: true })

export const start = defineOperation({
  name: 'claude_start',
  title: 'Start a Claude Code session',
  description:
    'Starts a Claude Code session that works on a task by itself, and returns its sessionId at once (with waitSeconds: when it needs you or is done). ' +
    'Whatever it may not do unasked it asks you for: call claude_status next, which waits until there is a question or a result, and answer with claude_respond. ' +
    'Several sessions can run at once. Give a full path as workingDirectory.',
  input: fields({
    prompt: Prompt,
    ...START_SHAPE,
    waitSeconds: waiting(
      'waitSeconds',
      'Wait up to so many seconds (at most 50) for a question or the end.',
    ).default(0),
  }),
  output: StartView,
  hints: { destructiveHint: true, openWorldHint: true },
  waits: true,
  runAgain: (context, { waitSeconds }, sessionId = '') => lookAt(context, { sessionId, waitSeconds }),
  run: async (context, { prompt, waitSeconds, ...options }) => {
    const { engine, who } = context
    const wish = { ...createFrom(context, options), content: prompt }
    const { id: sessionId, notLoaded } = await engine.createSession(who, wish)
    context.atWork?.note([sessionId])
    const aside = [context.notice?.(), commandHint(prompt)].filter((one) => one !== undefined)
    const misread = aside.length > 0 ? aside.join(' ') : undefined
    if (waitSeconds > 0) {
      const seen = await lookAt(context, { sessionId, waitSeconds })
      return { ...seen, hint: hintBehind(misread, seen.hint) }
    }
    const hint = hintBehind(misread, WAIT)
    return { sessionId, status: 'active' as const, ...(notLoaded ? { notLoaded } : {}), hint }
  },
})

export type StartView = z.infer<typeof StartView>
