import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { StartOptions } from '../child/launch/start-options.ts'
import { realDirectory } from '../child/launch/working-directory.ts'
import { AppError } from '../base/errors.ts'
import { type CallerId, isUuid, SessionId } from '../base/ids.ts'
import { notLoadedIn } from './launch/session-folders.ts'
import type { HubEnvironment } from './launch/hub-environment.ts'
import type { Origin, Session } from './record/session.ts'

export interface NewSession {
  readonly options: StartOptions
  readonly owner: CallerId
  readonly parentId?: SessionId | undefined
  readonly id?: SessionId | undefined
  readonly origin?: Origin | undefined
  readonly headNode?: string | undefined
  readonly timeoutMs?: number | undefined
  readonly answerers?: Session['answerers'] | undefined
  readonly ask?: Session['ask']
}

/** A session before its first prompt. Reads its folders, stores nothing. */
export function newSession(
  {
    options,
    owner,
    parentId,
    id = SessionId.parse(randomUUID()),
    origin = { kind: 'new' },
    headNode,
    timeoutMs = 0,
    answerers = 'anyone',
    ask,
  }: NewSession,
  environment: HubEnvironment,
  now: number,
): Session {
  if (options.name !== undefined && isUuid(options.name))
    throw new AppError(
      'invalid_input',
      'A UUID cannot be the name of a session, because it could be the id of another session; choose another name.',
      { data: { field: 'name' } },
    )
  const workingDirectory = realDirectory(options.workingDirectory ?? '.')
  // Relative to the working directory, as for the CLI. The hook and trust judge real paths only.
  const addDirs = options.addDirs?.map((folder) => realDirectory(resolve(workingDirectory, folder)))
  return {
    id,
    name: options.name,
    parentId,
    owner,
    workingDirectory,
    config: addDirs ? { ...options, addDirs } : options,
    notLoaded: notLoadedIn([workingDirectory, ...(addDirs ?? [])], environment),
    origin,
    timeoutMs,
    answerers,
    ask,
    cliSessionId: id,
    createdAt: now,
    updatedAt: now,
    status: 'idle',
    turn: 0,
    lastSeq: 0,
    costUsd: 0,
    headNode,
  }
}
