import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
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
 * Every transcript of a config folder, newest first. A pass over all of them is the truth and costs a `stat` for
 * each; in between only what a watch of the folders names is looked at. On Linux the system has noted a change
 * before the writer's call returns, so the answer is never behind what this machine wrote. Where the watch is
 * late or silent (macOS for a moment, network folders written elsewhere, thousands of changes at once) it is behind
 * by a minute at most; where there is no watch every answer is a pass.
 */
export class TranscriptFiles {
  readonly #projects: string
  readonly #passEveryMs: number
  readonly #watch = new FolderWatch((folder, name) => this.#note(folder, name))
  readonly #changed = new Set<string>()
  #files = new Map<string, TranscriptFile>()
  #sorted: TranscriptFile[] = []
  #passedAt = Number.NEGATIVE_INFINITY
  #last: Promise<unknown> = Promise.resolve()

  constructor(configFolder: string, options: { passEveryMs?: number } = {}) {
    this.#projects = join(configFolder, 'projects')
    this.#passEveryMs = options.passEveryMs ?? FULL_SCAN_MS
  }

  /** One call after the other: each looks for itself, because a change may fall between the two. */
  async newestFirst(): Promise<readonly TranscriptFile[]> {
    const turn = this.#last.then(() => this.#refresh())
    this.#last = turn.catch(() => undefined)
    return await turn
  }

  close(): void {
    this.#watch.close()
    this.#passedAt = Number.NEGATIVE_INFINITY
  }

  async #refresh(): Promise<readonly TranscriptFile[]> {
    // What the system has noted so far is told in the next turn of the event loop; the first of the two may be the
    // end of this one.
    for (let turn = 0; turn < 2; turn++) await setImmediate()
    if (performance.now() - this.#passedAt >= this.#passEveryMs) await this.#pass()
    else await this.#lookAgain()
    return this.#sorted.slice()
  }

  async #pass(): Promise<void> {
    this.#changed.clear()
    this.#passedAt = performance.now() // before looking: what is told while we look may ask for another pass
    // Watch first, read second, so that nothing falls in between. A folder that is not there cannot say when it is;
    // of one below it that is not, or that we may not read, the folder above tells when it changes.
    let watched = this.#watch.add(this.#projects) === 'watched'
    const found = new Map<string, TranscriptFile>()
    for (const folder of await pathsIn(this.#projects)) {
      if (this.#watch.add(folder) === 'refused') watched = false
      for (const file of await filesAt(await pathsIn(folder))) found.set(file.path, file)
    }
    this.#files = found
    this.#sorted = [...found.values()].toSorted(newerFirst)
    if (!watched) this.#passedAt = Number.NEGATIVE_INFINITY
  }

  async #lookAgain(): Promise<void> {
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
    // A folder came or went. It may be another one of the same name, which the old watch would not see.
    this.#watch.drop(folder)
    this.#passedAt = Number.NEGATIVE_INFINITY
  }
}

export function newerFirst(a: SortKey, b: SortKey): number {
  return b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}
type SortKey = Pick<TranscriptFile, 'mtimeMs' | 'path'>

/** Where the file is, or belongs. */
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

/** Those of the paths that are transcripts; what vanished or cannot be reached is left out. */
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

/** What lies in a folder; nothing when it cannot be read. */
export async function pathsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.map((name) => join(folder, name))
}
