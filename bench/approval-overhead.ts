import { withAnsweredQuestions } from './harness/answered-question.ts'
import { bareQuestions } from './harness/user/bare-question.ts'
import { type Figure, inPairs } from './harness/figure.ts'

export const figure: Figure = {
  id: 'P1',
  title: 'a question that was read, answered at once by who follows the session, until the answer is put',
  reference: '2 bare commits (WAL, FULL) and 1 bare loopback call',
  unit: 'ms',
  goal: { max: 2 },
  run: () =>
    withAnsweredQuestions(async (ask, { folder }) => {
      const bare = await bareQuestions(folder)
      try {
        return await inPairs(300, ask, bare.ask)
      } finally {
        bare.close()
      }
    }),
}
