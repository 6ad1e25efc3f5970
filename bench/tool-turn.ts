import { allowedCli } from './harness/user/bare-cli.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { withHubAt } from './harness/hub-rig.ts'
import { turnOfOurs } from './harness/user/allowed-turn.ts'
import { withTurnModel } from './harness/user/turn-model.ts'

export const figure: Figure = {
  id: 'P2',
  title: 'turn with a tool that is asked for and allowed at once, model replies 150 ms late',
  reference: 'the same turn of a bare CLI, allowed beforehand',
  unit: 'ms',
  goal: { max: 1.1, addedMax: 25 },
  run: () =>
    withTurnModel({ calls: 1, delayMs: 150 }, (modelUrl) =>
      withHubAt(modelUrl, async (rig) => {
        const over = new AbortController()
        const ours = await turnOfOurs(rig, over.signal)
        const bare = allowedCli(rig)
        try {
          return await inPairs(100, ours, bare.turn)
        } finally {
          over.abort()
          await bare.end()
        }
      }),
    ),
}
