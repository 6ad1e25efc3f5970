import { type Figure, inPairs } from './harness/figure.ts'
import { withHubAt } from './harness/hub-rig.ts'
import { switchedOff, switchedOn } from './harness/switched.ts'
import { turnOfOurs } from './harness/user/allowed-turn.ts'
import { withTurnModel } from './harness/user/turn-model.ts'

export const figure: Figure = {
  id: 'P2 (on and off)',
  title: 'turn with a tool that is asked for and allowed at once, with 1,000 rules, a budget and the record',
  reference: 'the same in another hub without rules, a budget and rows of the record',
  unit: 'ms',
  goal: { max: 1.02 },
  run: () =>
    withTurnModel({ calls: 1, delayMs: 150 }, (modelUrl) => {
      const [on, off] = [switchedOn(), switchedOff()]
      return withHubAt(
        modelUrl,
        (first) =>
          withHubAt(
            modelUrl,
            async (second) => {
              const over = new AbortController()
              try {
                const ours = await turnOfOurs(first, over.signal, on)
                return await inPairs(100, ours, await turnOfOurs(second, over.signal, off))
              } finally {
                over.abort()
              }
            },
            off,
          ),
        on,
      )
    }),
}
