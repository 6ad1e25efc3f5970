import { type Figure, inPairs } from './harness/figure.ts'
import { ask } from './harness/pending.ts'
import { questionOf, withTalkers } from './harness/talking-hub.ts'

const PENDING = 1_000

export const figure: Figure = {
  id: 'P8 (memory)',
  title: 'heap per pending question, of 1,000 in one session',
  reference: 'the line of the question',
  unit: 'KB',
  goal: { oursMax: 12 },
  run: () => inPairs(5, perQuestion, () => JSON.stringify(questionOf('pending-100')).length / 1e3),
}

function perQuestion(): Promise<number> {
  return withTalkers(async (hub, start) => {
    const talker = await start()
    const before = heap()
    await ask(hub, talker, PENDING)
    return (heap() - before) / PENDING / 1e3
  })
}

function heap(): number {
  global.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
