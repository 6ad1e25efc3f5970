import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configFolder } from '../../../child/launch/trust.ts'
import { managedSettingsFile, managedSettingsFiles } from '../../../sessions/launch/managed-settings.ts'
import { hasOnlyOurHook } from '../../terminals/hook-entry.ts'
import { type SettingsFile, settingsIn } from '../checks/cli-settings.ts'
import type { LoginFacts } from '../checks/login.ts'
import type { Place } from './place.ts'

/** The settings that hold for every session of this user. */
export async function settingsFiles(
  { env, platform }: Place,
  managedFile = managedSettingsFile(platform),
): Promise<SettingsFile[]> {
  const config = configFolder(env)
  const places = [
    ...(config === undefined ? [] : [{ file: join(config, 'settings.json'), managed: false }]),
    ...managedSettingsFiles(managedFile).map((file) => ({ file, managed: true })),
  ]
  return places
    .filter(({ file }) => existsSync(file))
    .map((place) => {
      const text = textOf(place.file)
      return { ...place, text, onlyOurHook: hasOnlyOurHook(text ?? '') }
    })
}

const LOGIN_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
]

/** Only whether something is there: neither the file nor a variable is read. */
export async function loginFacts(place: Place): Promise<LoginFacts> {
  const config = configFolder(place.env)
  const files = await settingsFiles(place)
  return {
    credentialsFile: config !== undefined && existsSync(join(config, '.credentials.json')),
    variables: LOGIN_VARIABLES.filter((name) => place.env[name]),
    apiKeyHelper: files.some(({ text }) => Boolean(settingsIn(text)?.apiKeyHelper)),
    platform: place.platform,
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
