import type { CommandCall } from '../../command-line/command.ts'
import { questionId, questionLine } from '../../command-line/views/question-views.ts'
import { sessionJson } from '../../command-line/views/session-views.ts'
import { labelOf, shownState } from '../../command-line/views/session-words.ts'
import { needsAnswer } from '../../sessions/record/at-work.ts'
import { waitSecondsIn } from '../../text/time-text.ts'

const NEEDS_AN_ANSWER = 3
const TIME_IS_UP = 124
/** The longest wait of one call. */
const STEP_SECONDS = 50

/** Until the session needs an answer or its turn is over. */
export async function run({ args: [sessionId = ''], flags, env, out, hub }: CommandCall): Promise<number> {
  const { engine, context } = await hub('reads')
  const timeout = flags.text('timeout')
  const seconds = timeout === undefined ? Number.POSITIVE_INFINITY : waitSecondsIn('--timeout', timeout)
  const until = performance.now() + seconds * 1_000
  const { id } = await engine.getSession(context, { sessionId })
  for (;;) {
    const left = (until - performance.now()) / 1_000
    const step = Math.max(0, Math.min(STEP_SECONDS, left))
    const [session] = await engine.waitFor(context, { sessionIds: [id], seconds: step })
    if (session) {
      const open = await engine.pending(context, { sessionId: id })
      const isWaiting = needsAnswer(session)
      if (out.isJson) out.json({ session: sessionJson({ session, open }) })
      else if (isWaiting)
        for (const question of open)
          out.line(
            flags.isSet('quiet')
              ? questionId(question)
              : `${questionId(question)}  ${labelOf(session)} ${questionLine(question, env['HOME'])}`,
          )
      else if (!flags.isSet('quiet'))
        out.line(`${labelOf(session)} ${shownState(session)} (${session.status})`)
      if (isWaiting) return NEEDS_AN_ANSWER
      return session.status === 'failed' ? 1 : 0
    }
    if (performance.now() >= until) {
      if (!out.isJson) out.say('Time is up; the session is still at work.')
      return TIME_IS_UP
    }
  }
}
