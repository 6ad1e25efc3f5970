import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Measured on the versions that are tried: an earlier one obeys `disableAllHooks` for our hook too, the newer one does not. */
export const KEEPS_OUR_HOOK = '2.1.325'

/** Refuses to start a child whose calls nobody would see. */
export function requireOurHook(
  { version }: { readonly version: string },
  file = managedSettingsFile(process.platform),
): void {
  if (isAtLeast(version, KEEPS_OUR_HOOK) || !disablesHooks(file)) return
  throw new AppError(
    'forbidden',
    `${file} has disableAllHooks, and in Claude Code ${version} that switches off the hook by which Plexus sees every call, so no session is started; update Claude Code to ${KEEPS_OUR_HOOK} or later, or have it removed there.`,
  )
}

/** A file that cannot be read has no effect on the CLI either. */
function disablesHooks(file: string): boolean {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return false
  }
  const settings = parseJson(text)
  return (
    typeof settings === 'object' &&
    settings !== null &&
    'disableAllHooks' in settings &&
    settings.disableAllHooks === true
  )
}
