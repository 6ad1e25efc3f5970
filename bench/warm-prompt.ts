import { StartOptions } from '../src/child/launch/start-options.ts'
import { followPages } from '../src/sessions/record/read-events.ts'
import type { Figure, Samples } from './harness/figure.ts'
import { type ModelledRig, withHub } from './harness/hub-rig.ts'
import { asCallerId } from '../test/rig/tools/ids.ts'

const SESSIONS = 10

export const figure: Figure = {
  id: 'P13',
  title: 'second prompt to a session until the model is asked, CLI and all',
  reference: 'first prompt to a new session',
  unit: 'ms',
  goal: { max: 0.15 },
  run: () =>
    withHub({ main: [] }, async (rig) => {
      await bothPrompts(rig) // the first start reads the program from the disk
      const samples: Samples = { ours: [], reference: [] }
      for (let nth = 0; nth < SESSIONS; nth++) {
        const { first, second } = await bothPrompts(rig)
        samples.reference.push(first)
        samples.ours.push(second)
      }
      return samples
    }),
}

async function bothPrompts(rig: ModelledRig): Promise<{ first: number; second: number }> {
  const options = StartOptions.parse({ workingDirectory: rig.project })
  const { id } = await rig.supervisor.creation.create({ options, owner: asCallerId('operator') })
  const first = await promptToRequest(rig, id, 1)
  const second = await promptToRequest(rig, id, 2)
  await (await rig.supervisor.wake(id)).stop()
  return { first, second }
}

/** And the turn is waited for, so that the next prompt finds an idle session. */
async function promptToRequest(
  { supervisor, store, model }: ModelledRig,
  id: string,
  turn: number,
): Promise<number> {
  const asked = model.request(
    () => model.requests.filter(({ kind, sessionId }) => kind === 'main' && sessionId === id).length >= turn,
    AbortSignal.timeout(30_000),
  )
  const start = performance.now()
  const [took] = await Promise.all([asked.then(() => performance.now() - start), supervisor.say(id, 'go')])
  const pages = followPages(store, supervisor.doorbells, id, {
    after: 0,
    signal: AbortSignal.timeout(30_000),
  })
  let left = turn
  for await (const { events } of pages)
    for (const { event } of events) if (event.type === 'turn.ended' && --left === 0) return took
  throw new Error(`Turn ${turn} did not end.`)
}
