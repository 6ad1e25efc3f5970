import { withAskingSessions } from './harness/user/asking-sessions.ts'
import { bareQuestions, type BareQuestions } from './harness/user/bare-question.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'

const BARE = 500

/**
 * The reference is what a question costs on this disk and this machine when nothing but the least is done for it and one comes
 * after the other: two commits and a call. More than that is reached only by questions that share a commit.
 */
export const figure: Figure = {
  id: 'P18',
  title: 'questions of 50 sessions that a hub can have asked and answered, 95 of 100 within 250 ms',
  reference: '2 bare commits (WAL, FULL) and 1 bare loopback call each, one after the other',
  unit: '/s',
  goal: { min: 1 },
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
