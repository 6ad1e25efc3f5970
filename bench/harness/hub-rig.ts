import { execFileSync } from 'node:child_process'
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { offlineEnvironment } from '../../src/demo/offline-environment.ts'
import type { Scenario } from '../../src/demo/scenario.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/demo/scripted-model.ts'
import { Supervisor } from '../../src/sessions/supervisor.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { transcriptPathOf } from '../../src/transcripts/transcript-path.ts'
import { installedCli } from '../../scripts/installed-cli.mjs'
import { inFolder } from './filled-store.ts'

export interface HubRig {
  readonly supervisor: Supervisor
  readonly store: Store
  readonly model: ScriptedModel
  /** Where the sessions work. */
  readonly project: string
}

/** Sessions with the real CLI and a scripted model, for as long as the work goes on. */
export function withHub<T>(scenario: Scenario, work: (rig: HubRig) => Promise<T>): Promise<T> {
  return inFolder(async (path) => {
    const folder = await realpath(path)
    const [home, project] = [join(folder, 'home'), join(folder, 'project')]
    for (const made of [home, project]) await mkdir(made, { mode: 0o700 })
    const model = await startScriptedModel(scenario)
    const store = await openSqliteStore(join(home, 'plexus.db'))
    const supervisor = await supervisorIn({ folder, home, model, store })
    try {
      return await work({ supervisor, store, model, project })
    } finally {
      await supervisor.close({ endChildren: true })
      await store.close()
      await model.close()
    }
  })
}

async function supervisorIn({
  folder,
  home,
  model,
  store,
}: Pick<HubRig, 'model' | 'store'> & { folder: string; home: string }): Promise<Supervisor> {
  const cli = installedCli(process.cwd())
  if (cli === undefined) throw new Error('No Claude Code CLI is installed among the development packages.')
  const env = offlineEnvironment('/usr/bin:/bin', folder, model.url)
  const version = execFileSync(cli, ['--version'], { encoding: 'utf8', env }).split(' ')[0] ?? ''
  const around = {
    home,
    env,
    leaseSeconds: 600,
    trusted: [],
    findCli: async () => ({ path: cli, version }),
    transcriptOf: (id: string) => transcriptPathOf(join(folder, 'config'), id),
    openElsewhere: async () => undefined,
    onError: console.error,
  }
  const limits = { maxSessions: 10, idleMs: 600_000, maxOutputBytes: 64 << 20 }
  const supervisor = new Supervisor(store, around, limits)
  await supervisor.adopt()
  return supervisor
}
