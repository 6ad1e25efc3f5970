import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PromiseQueue } from '../async/promise-queue.ts'
import { FolderWatch } from './folder-watch.ts'

export interface TranscriptFile {
  readonly path: string
  readonly sessionId: string
  /** The name of its folder in `projects/`. */
  readonly folderName: string
  readonly size: number
  readonly mtimeMs: number
}

const NAME = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.jsonl$/i
const FULL_SCAN_MS = 60_000
const BATCH_SIZE = 64

/**
 * Every transcript of a config folder, newest first. A full scan calls `stat` for each file; between scans only the files
 * named by a folder watch are checked. On Linux the kernel has queued a change before the writer's call returns, so the
 * answer always includes what this machine wrote. Where the watch is late or silent (macOS for a moment, network folders
 * written elsewhere, thousands of changes at once) the answer is at most a minute old; without a watch every answer is a full
 * scan.
 */
export class TranscriptFiles {
  readonly #projects: string
  readonly #fullScanMs: number
  readonly #watch = new FolderWatch((folder, name) => this.#note(folder, name))
  readonly #changed = new Set<string>()
  #files = new Map<string, TranscriptFile>()
  #sorted: TranscriptFile[] = []
  #scannedAt = Number.NEGATIVE_INFINITY
  readonly #queue = new PromiseQueue()

  constructor(configFolder: string, options: { fullScanMs?: number } = {}) {
    this.#projects = join(configFolder, 'projects')
    this.#fullScanMs = options.fullScanMs ?? FULL_SCAN_MS
  }

  /** Calls run one after the other. Each checks for itself, because a file may change between two calls. */
  async newestFirst(): Promise<readonly TranscriptFile[]> {
    return this.#queue.run(() => this.#refresh())
  }

  close(): void {
    this.#watch.close()
    this.#scannedAt = Number.NEGATIVE_INFINITY
  }

  async #refresh(): Promise<readonly TranscriptFile[]> {
    // The changes that the kernel has queued arrive in the next turn of the event loop; the first of these two turns may be
    // the rest of the current one.
    for (let turn = 0; turn < 2; turn++) await setImmediate()
    if (performance.now() - this.#scannedAt >= this.#fullScanMs) await this.#scanAll()
    else await this.#checkChanged()
    return this.#sorted.slice()
  }

  async #scanAll(): Promise<void> {
    this.#changed.clear()
    this.#scannedAt = performance.now() // before the scan: a change during the scan may request another one
    // Watch first, read second, so that no change is missed in between. A missing `projects` folder cannot be watched; if a
    // folder below it is missing or unreadable, the watch of `projects` reports its change.
    let watched = this.#watch.add(this.#projects) === 'watched'
    const found = new Map<string, TranscriptFile>()
    for (const folder of await pathsIn(this.#projects)) {
      if (this.#watch.add(folder) === 'refused') watched = false
      for (const file of await filesAt(await pathsIn(folder))) found.set(file.path, file)
    }
    this.#files = found
    this.#sorted = [...found.values()].toSorted(newerFirst)
    if (!watched) this.#scannedAt = Number.NEGATIVE_INFINITY
  }

  async #checkChanged(): Promise<void> {
    if (this.#changed.size === 0) return
    const paths = [...this.#changed]
    this.#changed.clear()
    const files = await filesAt(paths)
    for (const path of paths) this.#remove(path)
    for (const file of files) {
      this.#files.set(file.path, file)
      this.#sorted.splice(positionIn(this.#sorted, file), 0, file)
    }
  }

  #remove(path: string): void {
    const file = this.#files.get(path)
    if (file) this.#sorted.splice(positionIn(this.#sorted, file), 1)
    this.#files.delete(path)
  }

  #note(folder: string, name: string | null): void {
    if (folder !== this.#projects && name !== null && name !== basename(folder)) {
      if (NAME.test(name)) this.#changed.add(join(folder, name))
      return
    }
    // A folder was added or removed. It may be a new folder of the same name, which the old watch would not see.
    this.#watch.drop(folder)
    this.#scannedAt = Number.NEGATIVE_INFINITY
  }
}

export function newerFirst(a: SortKey, b: SortKey): number {
  return b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}
type SortKey = Pick<TranscriptFile, 'mtimeMs' | 'path'>

/** The index of the file, or where to insert it. Binary search. */
function positionIn(sorted: readonly TranscriptFile[], file: TranscriptFile): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = sorted[middle]
    if (other && newerFirst(other, file) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The transcripts among these paths; files that are gone or unreadable are omitted. */
export async function filesAt(paths: readonly string[]): Promise<TranscriptFile[]> {
  const named = paths.filter((path) => NAME.test(basename(path)))
  const files: TranscriptFile[] = []
  for (let start = 0; start < named.length; start += BATCH_SIZE) {
    const batch = await Promise.all(named.slice(start, start + BATCH_SIZE).map(fileAt))
    files.push(...batch.flatMap((file) => file ?? []))
  }
  return files
}

async function fileAt(path: string): Promise<TranscriptFile | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  const { size, mtimeMs } = found
  const sessionId = basename(path, '.jsonl')
  return { path, sessionId, folderName: basename(join(path, '..')), size, mtimeMs }
}

/** The paths of the entries of a folder; empty if it cannot be read. */
export async function pathsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.map((name) => join(folder, name))
}
