import { configFrom } from '../../assembly/config.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { findCurl } from '../../setup/terminals/find-curl.ts'
import { hookEntry } from '../../setup/terminals/hook-entry.ts'
import { RELAY_SCRIPT } from '../../setup/terminals/relay-script.ts'
import { pathsOf, terminalsState } from '../../setup/terminals/terminals-state.ts'
import { replacePrivateFile } from '../../system/files/private-file.ts'

/**
 * The hooks by which the dialogs of one terminal ask the hub too. None where the user's settings have that hook already: each
 * question would be there twice.
 */
export async function dialogHooks({ env, flags }: Pick<CommandCall, 'env' | 'flags'>): Promise<object> {
  const given = flags.text('home')
  const { home } = configFrom(env, given === undefined ? {} : { home: given })
  const { hook, isSkipped, plugin, relay } = terminalsState(env, home, process.platform)
  if ((hook && !isSkipped && relay === 'current') || plugin !== undefined) return {}
  const parts = { ...pathsOf(home), curl: await findCurl(env['PATH']) }
  if (relay !== 'current') await replacePrivateFile(parts.relay, RELAY_SCRIPT)
  return { PermissionRequest: [hookEntry(parts)] }
}
