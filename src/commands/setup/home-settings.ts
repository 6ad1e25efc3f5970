import { configFilePath, readConfigFile } from '../../assembly/config-file.ts'
import { configFrom, type Env } from '../../assembly/config.ts'
import type { FlagValues } from '../../command-line/command.ts'
import { prepareHome } from '../../hub/home-folder.ts'
import { asReadableError, type FileChange } from '../../setup/files/file-change.ts'
import { readSettings } from '../../system/files/settings-file.ts'

/** The home folder that a command is for; it need not exist. */
export function homeFor(env: Env, flags: FlagValues): string {
  const home = flags.text('home')
  return configFrom(env, home === undefined ? {} : { home }).home
}

/** The same, made if it does not exist, and safe from others. */
export function preparedHome(env: Env, flags: FlagValues): Promise<string> {
  return prepareHome(homeFor(env, flags), env['HOME'])
}

/** A change of `config.json`; none if the text stays as it is. A file that a hub would refuse is left alone. */
export function planSettings(home: string, edit: (text: string) => string): FileChange[] {
  readConfigFile(home)
  const path = configFilePath(home)
  const before = readSettings(path)
  try {
    const after = edit(before ?? '')
    return after === (before ?? '') ? [] : [{ path, before, after }]
  } catch (error) {
    throw asReadableError(path, error)
  }
}
