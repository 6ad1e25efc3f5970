import { OPTIONS } from '../../src/approvals/question.ts'
import type { Measure } from './figure.ts'
import { Reader } from './reader.ts'
import { type Hub, operator, questionOf, type Talker, toolResultOf, withTalkers } from './talking-hub.ts'
import type { Switched } from './switched.ts'

/** A question of a session from being read until its answer is put; it is answered at once by a client that follows the session. */
export function withAnsweredQuestions<T>(
  work: (ask: Measure, hub: Hub) => Promise<T>,
  switched?: Switched,
): Promise<T> {
  let readAt = 0
  return withTalkers(
    async (hub, start) =>
      work(
        answeredQuestion(hub, await start(), () => readAt),
        hub,
      ),
    (moment, events) => {
      if (moment === 'before-commit' && events.some(({ type }) => type === 'approval.opened'))
        readAt = performance.now()
    },
    switched,
  )
}

function answeredQuestion(hub: Hub, talker: Talker, readAt: () => number): Measure {
  const reader = new Reader(hub, talker.id)
  let asked = 0
  return async () => {
    const name = String(asked++)
    await talker.say(questionOf(name))
    const { approvalId } = await reader.event('approval.opened')
    await hub.engine.answer(operator, { approvalId, answers: [OPTIONS.tool[0]] })
    const took = performance.now() - readAt()
    await talker.say(toolResultOf(name))
    await reader.event('tool.finished') // so that nothing of it falls into the reference
    return took
  }
}
