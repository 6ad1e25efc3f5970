import { once } from 'node:events'
import { endEcho, pipedEcho, startEcho } from './harness/echo-child.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'

export const figure: Figure = {
  id: 'exit-to-seen',
  title: 'the end of a child until it is told and nothing of the child is left',
  reference: 'exit event on plain pipes',
  unit: 'ms',
  goal: { oursMax: 60 },
  run: () => inFolder((folder) => inPairs(30, () => endToTold(folder), endToEvent)),
}

async function endToTold(folder: string): Promise<number> {
  const child = await startEcho(folder)
  try {
    const batches = child.read(0)
    const echoed = batches.next()
    await child.put({})
    await echoed // then it is all there
    const pid = (await child.processes())?.child.pid
    if (pid === undefined) throw new Error('The child has no pid.')
    const start = performance.now()
    process.kill(pid, 'SIGTERM')
    await batches.next()
    await child.ended
    return performance.now() - start
  } finally {
    await endEcho(child)
  }
}

async function endToEvent(): Promise<number> {
  const piped = pipedEcho()
  const echoed = once(piped.stdout, 'data')
  piped.stdin.write('{}\n')
  await echoed
  const start = performance.now()
  piped.kill('SIGTERM')
  await once(piped, 'exit')
  return performance.now() - start
}
