import type { Figure } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'
import { replayAll, storedQuestions } from './harness/stored-questions.ts'

const QUESTIONS = 100_000
const EVERY = 1_000

export const figure: Figure = {
  id: 'rules-replay-memory',
  title: 'heap while the last tenth of 100,000 stored questions is replayed',
  reference: 'heap while their second tenth is',
  unit: 'MB',
  goal: { max: 1.1 },
  run: () =>
    inFolder(async (folder) => {
      const store = await storedQuestions(folder, QUESTIONS)
      const heaps: number[] = []
      await replayAll(store, (questions) => {
        if (questions % EVERY === 0) heaps.push(heap())
      })
      await store.close()
      const tenth = QUESTIONS / EVERY / 10
      return { ours: heaps.slice(-tenth), reference: heaps.slice(tenth, 2 * tenth) }
    }),
}

function heap(): number {
  global.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}
