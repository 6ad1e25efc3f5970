import { type Figure, inPairs } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'
import { readAndParse, replayAll, storedQuestions } from './harness/stored-questions.ts'

const QUESTIONS = 100_000
const PAIRS = 12

export const figure: Figure = {
  id: 'rules-replay',
  title: '100,000 stored questions replayed with 1,000 rules',
  reference: 'read them and parse their commands',
  unit: 'ms',
  goal: { max: 1.5 },
  run: () =>
    inFolder(async (folder) => {
      const store = await storedQuestions(folder, QUESTIONS)
      const samples = await inPairs(
        PAIRS,
        () => replayAll(store),
        () => readAndParse(store),
      )
      await store.close()
      return samples
    }),
}
