import { rmSync } from 'node:fs'
import { runLines, serviceState } from './run-system.ts'
import { installedText, requireOurs } from './service-file.ts'
import type { InstallParts } from './install-service.ts'

/** Stops the service and removes its file. Undefined if the person said no. */
export async function uninstallService({
  system,
  env,
  say,
  ask,
}: Omit<InstallParts, 'spec'>): Promise<{ file: string; removed: boolean } | undefined> {
  const { file } = system
  if (installedText(file) === undefined) {
    say(`There is no ${file}; nothing was done.`)
    return { file, removed: false }
  }
  requireOurs(file)
  const { reachable, pid } = await serviceState(system, env)
  if (!(await ask(`Stop the service and remove ${file}?`))) {
    say('Nothing was done.')
    return undefined
  }
  if (reachable) await runLines(system.disable, env, { mayFail: pid === undefined })
  rmSync(file)
  if (reachable) await runLines(system.forget, env)
  say(`${file} is removed.`)
  if (pid !== undefined)
    say(
      'Sessions stay for half an hour and wait for the next hub, which any plexus command that needs one starts.',
    )
  return { file, removed: true }
}
