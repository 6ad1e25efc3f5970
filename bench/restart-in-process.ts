import type { Figure } from './harness/figure.ts'
import { compareRestarts, timeToReady } from './harness/restart.ts'

export const figure: Figure = {
  id: 'P12 (the hub alone)',
  title: 'parts of a hub put together until ready, 1,000,000 events and 1,000 pending of a living child',
  reference: 'the same with an empty home',
  unit: 'ms',
  goal: { max: 1.5 },
  run: () => compareRestarts(30, timeToReady),
}
