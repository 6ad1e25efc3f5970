import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figure } from './harness/figure.ts'
import { startHub } from './harness/user/hub-process.ts'
import { HubRpc } from './harness/user/hub-rpc.ts'
import { compareRestarts } from './harness/restart.ts'

export const figure: Figure = {
  id: 'P14 (full home)',
  title:
    '`plexus serve` from its start until it has listed its sessions, 10 live with 1,000,000 events and 1,000 pending',
  reference: 'the same without sessions',
  unit: 'ms',
  goal: { addedMax: 40 },
  run: () => compareRestarts(30, startToList),
}

async function startToList(folder: string, pending: number): Promise<number> {
  const home = join(folder, 'home')
  await mkdir(home, { mode: 0o700, recursive: true })
  await writeFile(join(home, 'config.json'), JSON.stringify(NO_LIMIT))
  const env = { PATH: '/usr/bin:/bin', HOME: folder, PLEXUS_HOME: home, LOG_LEVEL: 'error' }
  const start = performance.now()
  const hub = await startHub(env)
  const rpc = new HubRpc(hub)
  // A hub is ready before it has adopted its children: the first answer waits for that, and so does a user.
  await rpc.call('listSessions', {})
  const took = performance.now() - start
  const found = await rpc.call<readonly unknown[]>('pending', {})
  rpc.close()
  await hub.end()
  if (found.length !== pending) throw new Error(`${found.length} questions are pending, not ${pending}.`)
  return took
}

/** All of them are open, and none waits in line. */
const NO_LIMIT = { questions_per_session: 1e6, questions_per_owner: 1e6, questions_in_all: 1e6 }
