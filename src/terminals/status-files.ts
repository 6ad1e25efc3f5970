import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { FolderWatch } from '../transcripts/folder-watch.ts'
import { livingSessionFiles, type SessionFile, sessionFilesFolder } from '../transcripts/session-files.ts'

const STATUSES = ['idle', 'busy', 'waiting', 'shell'] as const

/** What an interactive CLI says of itself in its own file, which it keeps while it runs. */
export interface TerminalStatus {
  readonly pid: number
  readonly sessionId: string
  readonly cwd: string
  readonly version: string
  readonly name?: string
  /** `shell`: idle, while a background shell runs. */
  readonly status: (typeof STATUSES)[number]
  /** What a `waiting` CLI waits for, in its own words, such as `permission prompt`. */
  readonly waitingFor?: string
  /** Milliseconds since 1970. */
  readonly statusUpdatedAt: number
  /** When its process started, as the system writes it: with the pid it identifies the process. */
  readonly procStart?: string
  readonly kind: string
  /** The folder of the CLI's own files that it was found in. */
  readonly configDir: string
}

/** The interactive CLIs that live now and keep their files in this folder; none if there is no such folder. */
export async function readTerminalStatuses(configDir: string): Promise<TerminalStatus[]> {
  const files = await livingSessionFiles(configDir)
  return files.flatMap((file) => statusFrom(file, configDir) ?? [])
}

function statusFrom(file: SessionFile, configDir: string): TerminalStatus | undefined {
  const { pid, sessionId, cwd, version, kind, statusUpdatedAt = 0 } = file
  const status = STATUSES.find((known) => known === file.status)
  if (kind !== 'interactive' || isOfProgram(file) || !status || cwd === undefined || version === undefined)
    return undefined
  const { name, waitingFor, procStart } = file
  return {
    pid,
    sessionId,
    cwd,
    version,
    ...(name === undefined ? {} : { name }),
    status,
    ...(status !== 'waiting' || waitingFor === undefined ? {} : { waitingFor }),
    statusUpdatedAt,
    ...(procStart === undefined ? {} : { procStart }),
    kind,
    configDir,
  }
}

/** `claude -p`, or a program with an SDK. It says that it is interactive, and newer versions have a status there too. */
function isOfProgram({ entrypoint }: SessionFile): boolean {
  return entrypoint?.startsWith('sdk-') === true
}

/** Called after each reading of all folders; `isChanged` at the first, and when another list was read than before. */
type OnReading = (statuses: readonly TerminalStatus[], isChanged: boolean) => void

/** A CLI that is killed changes no file, and some file systems report no change: so often all is read again. */
const SLOW_MS = 2_000

/**
 * Follows the interactive CLIs of some folders. Their files are read when the system reports a change there, one reading at a
 * time, and else now and then. Keeps no process alive.
 */
export function watchTerminalStatuses(
  configDirs: readonly string[],
  onReading: OnReading,
): { close(): void } {
  let known: readonly TerminalStatus[] | undefined
  const state = { isReading: false, isStale: false, isClosed: false }
  const watch = new FolderWatch((folder, name) => {
    const isThere = existsSync(folder)
    // The watch of a folder that was removed reports nothing about one that is made in its place.
    if (!isThere) watch.drop(folder)
    if (!isThere || concerns(configDirs, folder, name)) void readAgain()
  })
  const readOnce = async (): Promise<void> => {
    watchNearest(watch, configDirs)
    const found = (await Promise.all(configDirs.map(readTerminalStatuses))).flat()
    if (state.isClosed) return
    const isChanged = !isDeepStrictEqual(found, known)
    known = found
    onReading(found, isChanged)
  }
  const readAgain = async (): Promise<void> => {
    state.isStale = true
    if (state.isReading) return
    state.isReading = true
    while (state.isStale && !state.isClosed) {
      state.isStale = false
      await readOnce()
    }
    state.isReading = false
  }
  const timer = setInterval(() => void readAgain(), SLOW_MS).unref()
  void readAgain()
  return {
    close: () => {
      state.isClosed = true
      clearInterval(timer)
      watch.close()
    },
  }
}

/** Where there is no folder of status files yet, the nearest folder above it reports when one is made. */
function watchNearest(watch: FolderWatch, configDirs: readonly string[]): void {
  const nearest = configDirs.map((configDir) =>
    pathTo(configDir).find((path) => watch.add(path) !== 'absent'),
  )
  for (const folder of configDirs.flatMap(pathTo)) if (!nearest.includes(folder)) watch.drop(folder)
}

/** The folder of the status files, and the folders above it up to the one that holds the folder of the CLI. */
function pathTo(configDir: string): string[] {
  return [sessionFilesFolder(configDir), configDir, dirname(configDir)]
}

/** Other files in the folders above change often. */
function concerns(configDirs: readonly string[], folder: string, name: string | null): boolean {
  if (name === null) return true
  return configDirs.some((configDir) => {
    const [files = '', ...above] = pathTo(configDir)
    if (folder === files) return name.endsWith('.json')
    return above.includes(folder) && [files, configDir].includes(join(folder, name))
  })
}
