import { isTrusted, notLoaded, readTrustRecord } from '../../child/launch/trust.ts'
import type { Session } from '../record/session.ts'
import type { SessionState } from '../record/session-state.ts'
import type { HubEnvironment } from './hub-environment.ts'

/** The folder that the session works in now. */
export function workingDirectoryOf(session: Session, state: SessionState): string {
  return state.workingDirectory ?? session.workingDirectory
}

/** Whether the settings of the folders that the session works in now may be loaded. */
export function trustsFoldersOf(session: Session, state: SessionState, environment: HubEnvironment): boolean {
  return trusts([workingDirectoryOf(session, state), ...(session.config.addDirs ?? [])], environment)
}

/** The project settings in these folders that are not loaded; undefined if there are none. */
export function notLoadedIn(folders: readonly string[], environment: HubEnvironment): string[] | undefined {
  const [first = ''] = folders
  const found = trusts(folders, environment) ? [] : notLoaded(first, environment.env)
  return found.length > 0 ? found : undefined
}

/** Project settings are loaded for all folders or for none, so all must be trusted. */
function trusts(folders: readonly string[], { env, trusted }: HubEnvironment): boolean {
  const [record, ours] = [readTrustRecord(env), trusted()]
  return folders.every((folder) => isTrusted(folder, record, ours))
}
