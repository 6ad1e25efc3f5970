import { execFileSync } from 'node:child_process'
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { offlineEnvironment } from '../../src/demo/offline-environment.ts'
import type { Scenario } from '../../src/demo/scenario.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/demo/scripted-model.ts'
import { type App, createApp } from '../../src/assembly/app.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { transcriptPathOf } from '../../src/transcripts/transcript-path.ts'
import { installedCli } from '../../scripts/installed-cli.mjs'
import { inFolder } from './filled-store.ts'
import type { Switched } from './switched.ts'

export interface HubRig extends App {
  readonly store: Store
  /** Where the sessions work. */
  readonly project: string
  /** What its children are started with. */
  readonly cli: string
  readonly env: Record<string, string>
}

export interface ModelledRig extends HubRig {
  readonly model: ScriptedModel
}

/** Sessions with the real CLI and a scripted model, for as long as the work goes on. */
export async function withHub<T>(scenario: Scenario, work: (rig: ModelledRig) => Promise<T>): Promise<T> {
  const model = await startScriptedModel(scenario)
  try {
    return await withHubAt(model.url, (rig) => work({ ...rig, model }))
  } finally {
    await model.close()
  }
}

/** The same with a model that is somewhere else. */
export function withHubAt<T>(
  modelUrl: string,
  work: (rig: HubRig) => Promise<T>,
  { rules, storeOf = (store) => store }: Partial<Switched> = {},
): Promise<T> {
  return inFolder(async (path) => {
    const folder = await realpath(path)
    const [home, project] = [join(folder, 'home'), join(folder, 'project')]
    for (const made of [home, project]) await mkdir(made, { mode: 0o700 })
    const store = storeOf(await openSqliteStore(join(home, 'plexus.db')))
    const cli = installedCli(process.cwd())
    if (cli === undefined) throw new Error('No Claude Code CLI is installed among the development packages.')
    const env = offlineEnvironment('/usr/bin:/bin', folder, modelUrl)
    const version = execFileSync(cli, ['--version'], { encoding: 'utf8', env }).split(' ')[0] ?? ''
    const environment = {
      home,
      env,
      leaseSeconds: 600,
      rules,
      trusted: () => [],
      findCli: async () => ({ path: cli, version }),
      transcriptOf: (id: string) => transcriptPathOf(join(folder, 'config'), id),
      openElsewhere: async () => undefined,
      onError: console.error,
    }
    const limits = { maxSessions: 10, idleMs: 600_000, maxOutputBytes: 64 << 20 }
    const app = await createApp({ store, environment, limits })
    try {
      return await work({ ...app, store, project, cli, env })
    } finally {
      await app.close({ endChildren: true })
      await store.close()
    }
  })
}
