import { once } from 'node:events'
import { endEcho, pipedEcho, startEcho } from './harness/echo-child.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'

const message = { type: 'control_response', response: { subtype: 'success', request_id: 'request' } }

export const figure: Figure = {
  id: 'P1 (put)',
  title: 'a message put for a child until its echo is read: the way there and back',
  reference: 'the same on plain pipes',
  unit: 'ms',
  goal: { oursMax: 3 },
  run: () =>
    inFolder(async (folder) => {
      const child = await startEcho(folder)
      const piped = pipedEcho()
      const batches = child.read(0)
      try {
        return await inPairs(
          300,
          async () => {
            const echoed = batches.next()
            await child.put(message)
            await echoed
          },
          async () => {
            const echoed = once(piped.stdout, 'data')
            piped.stdin.write(`${JSON.stringify(message)}\n`)
            await echoed
          },
        )
      } finally {
        piped.kill()
        await batches.return()
        await endEcho(child)
      }
    }),
}
