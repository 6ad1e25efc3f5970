import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../base/errors.ts'
import { childSettings } from '../../../child/launch/child-settings.ts'
import { requireOutsideProject, requireOwnFolder } from '../../../hub/home-folder.ts'
import { requireSocketPath } from '../../../transports/http/listener.ts'
import type { HomeFacts } from '../checks/home.ts'
import type { Place } from './place.ts'

export async function homeFacts({ home, env }: Place): Promise<HomeFacts> {
  const exists = lstatSync(home, { throwIfNoEntry: false }) !== undefined
  const facts = { path: home, exists, exposed: [] }
  try {
    requireOutsideProject(home, env['HOME'])
    if (!exists) return facts
    const { real, mode } = requireOwnFolder(home)
    requireSocketPath(join(real, 'hub.sock'))
    childSettings(real) // no session starts where its rules could not keep it out of the home folder
    return { ...facts, mode, exposed: secretsIn(home).filter(isExposed) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...facts, problem: error.message }
  }
}

/** Their names only: they are not read. */
function secretsIn(home: string): string[] {
  const clients = namesIn(join(home, 'clients')).filter((name) => name.endsWith('.token'))
  return ['operator.token', 'signing.key', 'push.key', ...clients.map((name) => join('clients', name))].map(
    (name) => join(home, name),
  )
}

function isExposed(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  return found !== undefined && (found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
