import { decisionsPerRun, rulesFor } from './harness/rules.ts'
import { type Figure, inPairs } from './harness/figure.ts'

export const figure: Figure = {
  id: 'rules-twice',
  title: 'a call decided by 2,000 rules',
  reference: 'the same call decided by 1,000 rules',
  unit: 'ms',
  goal: { max: 2 },
  async run() {
    const [one, two] = [rulesFor(1_000), rulesFor(2_000)]
    return await inPairs(
      60,
      () => decisionsPerRun(two),
      () => decisionsPerRun(one),
    )
  },
}
