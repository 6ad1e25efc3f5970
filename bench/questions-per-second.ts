import { withAskingSessions } from './harness/user/asking-sessions.ts'
import { bareQuestions, type BareQuestions } from './harness/user/bare-question.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'

const BARE = 500

/**
 * The reference is the least that a question takes on this machine and this disk: two commits and a call, with nobody else at work.
 * A question of a session takes five lines of its child (the call, a hook before and after it, the question, the result), a
 * call of its client and what they cost in the child and the client, so no hub comes near it. Version 0.2.0 had a ratio of
 * 0.13 and was busy with a core all the time; the goal is twice that.
 */
export const figure: Figure = {
  id: 'P18',
  title: 'questions of 50 sessions that a hub can have asked and answered, 95 of 100 within 250 ms',
  reference: '2 bare commits (WAL, FULL) and 1 bare loopback call each, one after the other',
  unit: '/s',
  goal: { min: 0.26 },
  run: () =>
    inFolder(async (folder) => {
      const bare = await bareQuestions(folder)
      try {
        return await withAskingSessions(50, (round) => inPairs(15, round, () => rateOf(bare)))
      } finally {
        bare.close()
      }
    }),
}

async function rateOf({ ask }: BareQuestions): Promise<number> {
  const start = performance.now()
  for (let asked = 0; asked < BARE; asked++) await ask()
  return (1_000 * BARE) / (performance.now() - start)
}
