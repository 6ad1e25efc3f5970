import { OPTIONS } from '../src/approvals/question.ts'
import { bareQuestions } from './harness/user/bare-question.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { Reader } from './harness/reader.ts'
import { operator, questionOf, toolResultOf, withTalkers } from './harness/talking-hub.ts'

let readAt = 0

export const figure: Figure = {
  id: 'P1',
  title: 'a question that was read, answered at once by who follows the session, until the answer is put',
  reference: '2 bare commits (WAL, FULL) and 1 bare loopback call',
  unit: 'ms',
  goal: { max: 2 },
  run: () =>
    withTalkers(
      async (hub, start) => {
        const talker = await start()
        const reader = new Reader(hub, talker.id)
        const bare = await bareQuestions(hub.folder)
        let asked = 0
        try {
          return await inPairs(
            300,
            async () => {
              const name = String(asked++)
              await talker.say(questionOf(name))
              const { approvalId } = await reader.event('approval.opened')
              await hub.engine.answer(operator, { approvalId, answers: [OPTIONS.tool[0]] })
              const took = performance.now() - readAt
              await talker.say(toolResultOf(name))
              await reader.event('tool.finished') // so that nothing of it falls into the reference
              return took
            },
            bare.ask,
          )
        } finally {
          bare.close()
        }
      },
      (moment, events) => {
        if (moment === 'before-commit' && events.some(({ type }) => type === 'approval.opened'))
          readAt = performance.now()
      },
    ),
}
