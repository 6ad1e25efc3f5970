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
  if (isAtLeast(version, KEEPS_OUR_HOOK) || !isSwitchedOn(file, 'disableAllHooks')) return
  throw new AppError(
    'forbidden',
    `${file} has disableAllHooks, and in Claude Code ${version} that switches off the hook by which Plexus sees every call, so no session is started; update Claude Code to ${KEEPS_OUR_HOOK} or later, or have it removed there.`,
  )
}

/** A hook that settings bring, as that of a process outside, is switched off by more, and it is not known that a version keeps it. */
export function requireHooksOfSettings(file = managedSettingsFile(process.platform)): void {
  const setting = ['disableAllHooks', 'allowManagedHooksOnly'].find((name) => isSwitchedOn(file, name))
  if (setting === undefined) return
  throw new AppError(
    'forbidden',
    `${file} has ${setting}, which may switch off the hook by which Plexus would see every call of this claude, so it is not started; use plexus start, or have it removed there.`,
  )
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
