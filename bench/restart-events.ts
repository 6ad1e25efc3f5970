import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openSqliteStore } from '../src/store/sqlite/open.ts'
import { inPairs, type Figure } from './harness/figure.ts'
import { filledStore, inFolder, openApprovals } from './harness/filled-store.ts'

export const figure: Figure = {
  id: 'P12 (store)',
  title: 'new process until it knows what is live and pending, 1,000,000 events and 1,000 pending',
  reference: 'the same with an empty store',
  unit: 'ms',
  goal: { max: 1.5 },
  run: () =>
    inFolder(async (folder) => {
      const full = await filledStore(join(folder, 'full.db'), 1_000_000)
      await openApprovals(full, 1000)
      await full.close()
      return inPairs(
        30,
        () => restart(join(folder, 'full.db'), 1000),
        () => restart(join(folder, 'empty.db'), 0),
      )
    }),
}

/** What a hub reads of its store before it goes on. */
export async function readiness(path: string): Promise<number> {
  const store = await openSqliteStore(path)
  await store.runs.live()
  return (await store.approvals.pending()).length
}

async function restart(path: string, pending: number): Promise<void> {
  const module = JSON.stringify(import.meta.url)
  const program = `import { readiness } from ${module}
    process.exit((await readiness(${JSON.stringify(path)})) === ${pending} ? 0 : 1)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The process ended with ${code}.`)
}
