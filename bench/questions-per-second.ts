import { withAskingSessions } from './harness/asking-sessions.ts'
import { type Figure, inPairs } from './harness/figure.ts'

export const figure: Figure = {
  id: 'P18',
  title: 'x',
  reference: 'y',
  unit: '/s',
  goal: { min: 1 },
  run: () => withAskingSessions(50, (sessions) => inPairs(5, sessions.round, async () => 1)),
}
