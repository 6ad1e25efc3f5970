import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../base/errors.ts'
import { isAtLeast } from '../../text/version-order.ts'
import { parseJson } from '../../text/json-text.ts'

const FOLDERS: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  linux: '/etc/claude-code',
}

/** The settings of an administrator, which no settings of ours can change. */
export function managedSettingsFile(platform: NodeJS.Platform): string {
  return join(FOLDERS[platform] ?? '/etc/claude-code', 'managed-settings.json')
}

/** That file, and those of the folder beside it, which Claude Code reads too. */
export function managedSettingsFiles(file: string): string[] {
  const folder = file.replace(/\.json$/, '.d')
  return [file, ...jsonFilesIn(folder).map((name) => join(folder, name))]
}

function jsonFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .toSorted()
  } catch {
    return [] // most machines have no such folder
  }
}

/** Measured on the versions that are tried: an earlier one obeys `disableAllHooks` for our hook too, the newer one does not. */
export const KEEPS_OUR_HOOK = '2.1.325'

/** Refuses to start a child whose calls nobody would see. */
export function requireOurHook(
  { version }: { readonly version: string },
  file = managedSettingsFile(process.platform),
): void {
  if (isAtLeast(version, KEEPS_OUR_HOOK)) return
  const found = fileThat(file, ['disableAllHooks'])
  if (!found) return
  throw new AppError(
    'forbidden',
    `${found.path} has disableAllHooks, and in Claude Code ${version} that switches off the hook by which Plexus sees every call, so no session is started; update Claude Code to ${KEEPS_OUR_HOOK} or later, or have it removed there.`,
  )
}

/** A hook that settings bring, as that of a process outside, is switched off by more, and it is not known that a version keeps it. */
export function requireHooksOfSettings(file = managedSettingsFile(process.platform)): void {
  const found = fileThat(file, ['disableAllHooks', 'allowManagedHooksOnly'])
  if (!found) return
  throw new AppError(
    'forbidden',
    `${found.path} has ${found.setting}, which may switch off the hook by which Plexus would see every call of this claude, so it is not started; use plexus start, or have it removed there.`,
  )
}

/**
 * The first file that switches one of these on, also in the folder beside it. A later file may switch it off again for the CLI:
 * then a session is refused without need, which is the safe side.
 */
function fileThat(file: string, settings: readonly string[]): { path: string; setting: string } | undefined {
  for (const path of managedSettingsFiles(file)) {
    const setting = settings.find((name) => isSwitchedOn(path, name))
    if (setting !== undefined) return { path, setting }
  }
  return undefined
}

/** A file that cannot be read has no effect on the CLI either. */
function isSwitchedOn(file: string, setting: string): boolean {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return false
  }
  const settings = Settings.safeParse(parseJson(text)).data
  return settings?.[setting] === true
}

const Settings = z.record(z.string(), z.unknown())
