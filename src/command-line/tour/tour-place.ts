import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { withTimeout } from '../../async/with-timeout.ts'
import { AppError } from '../../base/errors.ts'
import type { FoundCli } from '../../child/launch/find-cli.ts'
import { offlineEnvironment } from '../../demo/offline-environment.ts'
import { startScriptedModel } from '../../demo/scripted-model.ts'
import { hubHolder } from '../../hub/hub-lock.ts'
import { isAlive } from '../../system/process-identity.ts'
import { endAll, findMarked } from '../../system/process-tree.ts'
import { type ClientConnection, connectToHub } from '../client-hub.ts'
import { TOUR_SCENARIO } from './tour-model.ts'
import { PROJECT_FILES, type TourStep } from './tour-script.ts'

/** How long the sessions of the tour may take to end by themselves. */
const STOP_MS = 4_000
const MANY = 500

/** All that a tour starts: a folder, a model, and a hub of its own that no other hub of the user can see. */
export interface TourPlace {
  readonly folder: string
  readonly project: string
  readonly client: ClientConnection
  /** The pid of the hub that runs here. */
  readonly hubPid: () => Promise<number>
  /** Kills the hub with SIGKILL; resolves when it is gone. */
  readonly killHub: () => Promise<void>
  readonly isThere: (evidence: TourStep['evidence']) => Promise<boolean>
  /** Ends all of it, and removes the folder. */
  readonly close: () => Promise<void>
}

export async function openTourPlace(cli: FoundCli, path: string): Promise<TourPlace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'plexus-demo-')))
  const [project, home] = [join(folder, 'project'), join(folder, 'home')]
  await mkdir(project, { mode: 0o700 })
  for (const [name, text] of Object.entries(PROJECT_FILES)) await writeFile(join(project, name), text)
  const model = await startScriptedModel(TOUR_SCENARIO, { isFree: true })
  const env = { ...offlineEnvironment(path, folder, model.url), CLAUDE_CODE_PATH: cli.path, PLEXUS_PORT: '0' }
  const client = connectToHub({ env, home, startsHub: true })
  const killHub = async () => {
    for (let holder = await hubHolder(home); holder; holder = await hubHolder(home)) {
      process.kill(holder.pid, 'SIGKILL')
      while (await isAlive(holder)) await setTimeout(10)
    }
  }
  return {
    folder,
    project,
    client,
    hubPid: async () => {
      const holder = await hubHolder(home)
      if (holder) return holder.pid
      throw new AppError('busy', 'The hub of the tour has ended; start the tour again.')
    },
    killHub,
    isThere: async (evidence) => {
      if (!evidence) return false
      const text = await readFile(join(project, evidence.file), 'utf8').catch(() => '')
      return text.includes(evidence.text)
    },
    close: async () => {
      // Also if its hub is dead: the next hub ends what that one left.
      if (existsSync(join(home, 'plexus.db'))) await withTimeout(stopSessions(client), STOP_MS, undefined)
      client.close()
      await killHub()
      await model.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** By the hub, which ends what they started too; then whatever is left of them. */
async function stopSessions({ engine, context }: ClientConnection): Promise<void> {
  const sessions = await engine.listSessions(context, { limit: MANY })
  for (const { id } of sessions) {
    await engine.stopSession(context, { sessionId: id }).catch(() => {})
    await endAll(findMarked(id))
  }
}
