import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Figure } from './harness/figure.ts'
import { compareRestarts, timeToReady } from './harness/restart.ts'

export const figure: Figure = {
  id: 'P12',
  title: 'new process until its hub is ready, 1,000,000 events and 1,000 pending of a living child',
  reference: 'the same with an empty home',
  unit: 'ms',
  goal: { max: 1.5 },
  run: () => compareRestarts(30, startedToReady),
}

/** In a process of its own; says when it is ready. */
export async function becomeReady(folder: string, pending: number): Promise<void> {
  await timeToReady(folder, pending, () => process.send?.('ready'))
  process.disconnect()
}

async function startedToReady(folder: string, pending: number): Promise<number> {
  const program = `import { becomeReady } from ${JSON.stringify(import.meta.url)}
    await becomeReady(${JSON.stringify(folder)}, ${pending})`
  const start = performance.now()
  const hub = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(hub, 'message')
  const took = performance.now() - start
  const [code] = await once(hub, 'exit')
  if (code !== 0) throw new Error(`The process ended with ${code}.`)
  return took
}
