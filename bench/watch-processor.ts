import { setTimeout as sleep } from 'node:timers/promises'
import { processorTimeOf } from './harness/user/processor-time.ts'
import type { Figure } from './harness/figure.ts'
import { withWatchedHub } from './harness/user/watched-hub.ts'

const ROUNDS = 15

export const figure: Figure = {
  id: 'watch (processor)',
  title: 'processor time of `plexus watch` in 1 s, 200 sessions, 50 questions opened and 50 settled a second',
  reference: 'that of the hub, which all of it is asked of',
  unit: 'ms',
  goal: { oursMax: 150 },
  run: () =>
    withWatchedHub(async ({ pid, hub }) => {
      await sleep(2_000) // the start is over
      const samples = { ours: [] as number[], reference: [] as number[] }
      for (let left = ROUNDS; left > 0; left--) {
        const start = performance.now()
        const before = [processorTimeOf(pid), processorTimeOf(hub.pid)]
        await sleep(1_000)
        const seconds = (performance.now() - start) / 1_000
        samples.ours.push((processorTimeOf(pid) - (before[0] ?? 0)) / seconds)
        samples.reference.push((processorTimeOf(hub.pid) - (before[1] ?? 0)) / seconds)
      }
      return samples
    }),
}
