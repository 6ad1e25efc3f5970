import { withAskingSessions } from './harness/user/asking-sessions.ts'
import { type Figure, inPairs } from './harness/figure.ts'

export const figure: Figure = {
  id: 'P18 (200 sessions)',
  title: 'questions of 200 sessions that a hub can have asked and answered, 95 of 100 within 250 ms',
  reference: 'the same of 50 sessions',
  unit: '/s',
  goal: { min: 0.95 },
  run: () => withAskingSessions(200, (many) => withAskingSessions(50, (few) => inPairs(15, many, few))),
}
