import { copyFileSync, constants, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../base/errors.ts'
import { replacePrivateFile } from '../../system/files/private-file.ts'
import { MADE_BY_US } from './systemd-unit.ts'

/** The text of the installed file, if there is one. A link is another program's way to keep the file, or to switch it off. */
export function installedText(file: string): string | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (!found.isFile())
    throw new AppError(
      'forbidden',
      `${file} is a link or no file, so it is left as it is; remove it and try again.`,
    )
  return readFileSync(file, 'utf8')
}

/** Writes the file and returns where the one before is kept, if another was there. */
export async function writeServiceFile(file: string, text: string): Promise<string | undefined> {
  const before = installedText(file)
  if (before === text) return undefined
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const backup = before === undefined ? undefined : freeBackup(file)
  if (backup !== undefined) copyFileSync(file, backup, constants.COPYFILE_EXCL)
  await replacePrivateFile(file, text)
  return backup
}

/** Only what `plexus service install` wrote is stopped and removed. */
export function requireOurs(file: string): void {
  if (!installedText(file)?.includes(MADE_BY_US))
    throw new AppError('forbidden', `${file} was not written by plexus service install; remove it yourself.`)
}

/** A backup never replaces an earlier one: the first may be the only copy of what somebody wrote by hand. */
function freeBackup(file: string): string {
  for (let number = 1; ; number++) {
    const backup = `${file}.backup-${number}`
    if (!existsSync(backup)) return backup
  }
}
