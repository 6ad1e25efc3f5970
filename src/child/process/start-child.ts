import { spawn } from 'node:child_process'
import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionKey } from '../../base/ids.ts'
import { AppError } from '../../base/errors.ts'
import { systemLimitMessage } from '../../system/system-limit-message.ts'
import { Doorbell } from '../../base/doorbell.ts'
import { Bell } from './keeper-bell.ts'
import { type ChildMessage, lineOf } from '../lines/message-line.ts'
import { writeMessageFile } from './message-files.ts'
import { Child } from './child-process.ts'
import { KEEPER } from './keeper.ts'
import { identityOf, type ProcessIdentity } from '../../system/process-identity.ts'
import { endAll } from '../../system/process-tree.ts'
import { replacePrivateFile } from '../../system/files/private-file.ts'
import { createRunFolder, readExitCode, type RunFolder, runFolderAt } from './run-folder.ts'
import { lastWill } from '../lines/stdin-messages.ts'
import { PROTECTION, PROTECTION_NOTE } from '../launch/protection-level.ts'

export interface ChildSpec {
  readonly sessionId: SessionKey
  /** Created by `startChild`; must not exist yet. */
  readonly runPath: string
  readonly cli: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly workingDirectory: string
  /** How long the child may wait when no hub is there. */
  readonly leaseSeconds: number
  /** Messages that are written before the child starts: initialize, the first prompt. */
  readonly messages: readonly ChildMessage[]
  /** Other files of its run folder, by name: private files that the child's flags name, or that the next hub reads. */
  readonly files?: Readonly<Record<string, string>>
}

/** Starts a keeper with its child. Once this returns, we are connected to the child, and it outlives us. */
export async function startChild(spec: ChildSpec): Promise<Child> {
  const run = await createRunFolder(spec.runPath)
  await replacePrivateFile(run.will, lastWill().map(lineOf).join(''))
  await replacePrivateFile(join(run.path, PROTECTION_NOTE), String(PROTECTION))
  for (const [name, text] of Object.entries(spec.files ?? {}))
    await replacePrivateFile(join(run.path, name), text)
  for (const message of spec.messages) await writeMessageFile(run, lineOf(message))
  const doorbell = new Doorbell()
  const watcher = watchFolder(run.path, doorbell)
  try {
    const keeper = await spawnKeeper(run, spec, doorbell)
    return await attach(run, spec.sessionId, doorbell).catch(async (error: unknown) => {
      await endAll(() => keeper)
      throw error
    })
  } finally {
    watcher?.close()
  }
}

/** Only saves time: if the system has no more watches, the folder is polled. */
function watchFolder(path: string, doorbell: Doorbell): FSWatcher | undefined {
  try {
    return watch(path, () => doorbell.ring()).on('error', () => {})
  } catch {
    return undefined
  }
}

/**
 * Takes over a run that another hub started. If it has ended meanwhile, reading gives the rest of its output and the end.
 */
export async function adoptChild(runPath: string, sessionId: SessionKey): Promise<Child> {
  const run = runFolderAt(runPath)
  const bell = Bell.open(run.bell)
  bell?.ring('hub')
  return new Child(run, sessionId, bell)
}

async function spawnKeeper(run: RunFolder, spec: ChildSpec, doorbell: Doorbell): Promise<ProcessIdentity[]> {
  const { cli, args, env, workingDirectory, leaseSeconds } = spec
  const keeper = spawn(
    '/bin/sh',
    ['-c', KEEPER, 'plexus-keeper', run.path, String(leaseSeconds), cli, ...args],
    {
      cwd: workingDirectory,
      env: { ...env },
      detached: true, // out of our process group: a signal that ends us must not end it
      stdio: 'ignore',
    },
  )
  keeper.on('exit', () => doorbell.ring())
  await new Promise<void>((resolve, reject) => {
    keeper.on('spawn', resolve)
    keeper.on('error', (cause) =>
      reject(
        new AppError(
          'cli_failed',
          systemLimitMessage(cause) ?? `Could not start a shell: ${cause.message}.`,
          {
            cause,
          },
        ),
      ),
    )
  })
  keeper.unref()
  const identity = await identityOf(keeper.pid ?? 0)
  return identity ? [identity] : []
}

/** The keeper creates the bell; until it listens there is nothing to open. */
async function attach(run: RunFolder, sessionId: SessionKey, doorbell: Doorbell): Promise<Child> {
  const deadline = Date.now() + ATTACH_TIMEOUT_MS
  for (;;) {
    const bell = Bell.open(run.bell)
    if (bell) {
      bell.ring('hub')
      return new Child(run, sessionId, bell)
    }
    // The keeper of a child that failed at once has ended too: that is an end of the run, not an error here.
    if ((await readExitCode(run)) !== undefined) return new Child(run, sessionId, undefined)
    if (Date.now() > deadline || !(await exists(run.path)))
      throw new AppError(
        'cli_failed',
        'The keeper of a new session did not start; try again, and check the free space of PLEXUS_HOME.',
      )
    await doorbell.next(RETRY_MS)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

const ATTACH_TIMEOUT_MS = 10_000
const RETRY_MS = 50
