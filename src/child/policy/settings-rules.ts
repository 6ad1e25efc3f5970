import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readEachOnChange } from '../../system/files/file-stamp.ts'
import { configFolder } from '../launch/trust.ts'

/** A rule in the CLI's own syntax, such as `Bash(npm test *)`, and its source. */
interface AllowRule {
  readonly text: string
  readonly origin: string
}

export interface SettingsRules {
  readonly allow: readonly AllowRule[]
  /** Calls that match these rules are asked about, even if an allow rule matches too. */
  readonly ask: readonly string[]
}

const rules = z.array(z.string()).catch([])
const Settings = z.looseObject({
  permissions: z
    .looseObject({ allow: rules.default([]), ask: rules.default([]) })
    .optional()
    .catch(undefined),
})

/** The rules that the CLI has loaded for a session: those of its user and, if its folder is trusted, of the project. */
export function settingsRules(
  env: Readonly<Record<string, string | undefined>>,
  trustedFolder: string | undefined,
): SettingsRules {
  const config = configFolder(env)
  const places = [
    ...(config === undefined ? [] : [{ path: join(config, 'settings.json'), origin: 'user settings' }]),
    ...(trustedFolder === undefined
      ? []
      : ['settings.json', 'settings.local.json'].map((name) => ({
          path: join(trustedFolder, '.claude', name),
          origin: 'project settings',
        }))),
  ]
  const found = places.map(({ path, origin }) => ({ origin, ...permissionsIn(path) }))
  return {
    allow: found.flatMap(({ allow, origin }) => allow.map((text) => ({ text, origin }))),
    ask: found.flatMap(({ ask }) => ask),
  }
}

interface Permissions {
  readonly allow: readonly string[]
  readonly ask: readonly string[]
}

const NONE: Permissions = { allow: [], ask: [] }

/** Each call is judged by the files as they are now. A missing or invalid file allows nothing. */
function permissionsIn(path: string): Permissions {
  try {
    return readPermissions(path)
  } catch {
    return NONE
  }
}

const readPermissions = readEachOnChange((path): Permissions => {
  try {
    return Settings.parse(JSON.parse(readFileSync(path, 'utf8'))).permissions ?? NONE
  } catch {
    return NONE
  }
})
