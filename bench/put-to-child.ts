import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Child } from '../src/child/process/child-process.ts'
import { endEcho, pipedEcho, startEcho } from './harness/echo-child.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'

const message = { type: 'control_response', response: { subtype: 'success', request_id: 'request' } }
/** A message comes alone: nobody is awake for it. */
const PAUSE_MS = 2

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
            await idle(child)
            const start = performance.now()
            const echoed = batches.next()
            await child.put(message)
            await echoed
            return performance.now() - start
          },
          async () => {
            await setTimeout(PAUSE_MS)
            const start = performance.now()
            const echoed = once(piped.stdout, 'data')
            piped.stdin.write(`${JSON.stringify(message)}\n`)
            await echoed
            return performance.now() - start
          },
        )
      } finally {
        piped.kill()
        await batches.return()
        await endEcho(child)
      }
    }),
}

/** The keeper empties a message after the child has it; only then it waits for the next. */
async function idle({ run }: Child): Promise<void> {
  do await setTimeout(PAUSE_MS)
  while (readdirSync(run.todo).some((name) => sizeOf(join(run.todo, name)) > 0))
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
