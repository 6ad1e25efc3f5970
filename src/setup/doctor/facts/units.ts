import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { UnitFile } from '../checks/units.ts'
import type { Place } from './place.ts'

const MAX_BYTES = 64 * 1_024

/** The user's own services and those of the machine. A file that cannot be read is one that this user cannot change. */
export async function unitFiles({ env, platform }: Place): Promise<UnitFile[]> {
  const home = env['HOME'] ?? '/'
  const isMac = platform === 'darwin'
  const folders = isMac
    ? [join(home, 'Library/LaunchAgents'), '/Library/LaunchAgents']
    : [
        join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'systemd/user'),
        '/etc/systemd/user',
        '/etc/systemd/system',
      ]
  const end = isMac ? '.plist' : '.service'
  return folders.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.endsWith(end))
      .map((name) => ({ file: join(folder, name), text: textWithAdditions(join(folder, name)) })),
  )
}

/** `systemctl edit` writes into a folder beside the unit; what is there counts last. */
function textWithAdditions(file: string): string {
  const added = namesIn(`${file}.d`).filter((name) => name.endsWith('.conf'))
  return [file, ...added.toSorted().map((name) => join(`${file}.d`, name))].map(textOf).join('\n')
}

function textOf(file: string): string {
  try {
    const found = statSync(file)
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
