import { decisionsPerRun, parsesPerRun, rulesFor } from './harness/rules.ts'
import { type Figure, inPairs } from './harness/figure.ts'

export const figure: Figure = {
  id: 'rules-decide',
  title: 'a call decided by 1,000 rules',
  reference: 'parse the same command',
  unit: 'ms',
  goal: { max: 3 },
  async run() {
    const rules = rulesFor(1_000)
    return await inPairs(
      60,
      () => decisionsPerRun(rules),
      () => parsesPerRun(),
    )
  },
}
