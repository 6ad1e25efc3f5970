import { OPTIONS } from '../src/approvals/question.ts'
import { StartOptions } from '../src/child/launch/start-options.ts'
import { allowedCli } from './harness/user/bare-cli.ts'
import { type Figure, inPairs, type Measure } from './harness/figure.ts'
import { type HubRig, withHubAt } from './harness/hub-rig.ts'
import { Reader } from './harness/reader.ts'
import { operator } from './harness/talking-hub.ts'
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

async function turnOfOurs({ engine, project }: HubRig, over: AbortSignal): Promise<Measure> {
  const options = StartOptions.parse({ workingDirectory: project })
  const { id } = await engine.createSession(operator, { options })
  const reader = new Reader({ engine, over }, id)
  return async () => {
    await engine.startTurn(operator, { sessionId: id, content: 'go' })
    const { approvalId } = await reader.event('approval.opened')
    await engine.answer(operator, { approvalId, answers: [OPTIONS.tool[0]] })
    await reader.event('turn.ended')
  }
}
