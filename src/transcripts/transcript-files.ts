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
const PASS_EVERY_MS = 60_000
const AT_ONCE = 64

/**
 * Every transcript of a config folder, newest first. A pass over all of them is the truth and costs a `stat` for
 * each; in between only what a watch of the folders names is looked at. On Linux the system has noted a change
 * before the writer's call returns, so the answer is never behind what this machine wrote. Where the watch is
 * late or silent (macOS for a moment, network folders written elsewhere) it is behind by a minute at most; where
 * there is no watch every answer is a pass.
 */
export class TranscriptFiles {
  readonly #projects: string
  readonly #passEveryMs: number
  readonly #watch = new FolderWatch((folder, name) => this.#note(folder, name))
  readonly #changed = new Set<string>()
  #files = new Map<string, TranscriptFile>()
  #sorted: readonly TranscriptFile[] | undefined
  #passedAt = Number.NEGATIVE_INFINITY
  #last: Promise<unknown> = Promise.resolve()

  constructor(configFolder: string, options: { passEveryMs?: number } = {}) {
    this.#projects = join(configFolder, 'projects')
    this.#passEveryMs = options.passEveryMs ?? PASS_EVERY_MS
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
    await setImmediate() // one turn of the event loop: what the system has noted so far is told in it
    if (performance.now() - this.#passedAt >= this.#passEveryMs) await this.#pass()
    else await this.#lookAgain()
    this.#sorted ??= [...this.#files.values()].toSorted(newerFirst)
    return this.#sorted
  }

  async #pass(): Promise<void> {
    this.#changed.clear()
    this.#passedAt = performance.now() // before looking: what is told from here on may ask for another pass
    let watched = this.#watch.add(this.#projects) // watch first, read second, so that nothing falls in between
    const found = new Map<string, TranscriptFile>()
    for (const folder of await pathsIn(this.#projects)) {
      watched = this.#watch.add(folder) && watched
      for (const file of await filesAt(await pathsIn(folder))) found.set(file.path, file)
    }
    this.#files = found
    this.#sorted = undefined
    if (!watched) this.#passedAt = Number.NEGATIVE_INFINITY
  }

  async #lookAgain(): Promise<void> {
    if (this.#changed.size === 0) return
    const paths = [...this.#changed]
    this.#changed.clear()
    for (const path of paths) this.#files.delete(path)
    for (const file of await filesAt(paths)) this.#files.set(file.path, file)
    this.#sorted = undefined
  }

  #note(folder: string, name: string | null): void {
    if (folder !== this.#projects && name !== null && name !== basename(folder)) {
      if (NAME.test(name)) this.#changed.add(join(folder, name))
      return
    }
    // A folder came or went: it may be another one of the same name, which an old watch would not see.
    if (name === null || name === basename(folder)) this.#watch.drop(folder)
    else this.#watch.drop(join(folder, name))
    this.#passedAt = Number.NEGATIVE_INFINITY
  }
}

export function newerFirst(a: Place, b: Place): number {
  return b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}
type Place = Pick<TranscriptFile, 'mtimeMs' | 'path'>

/** Those of the paths that are transcripts; what vanished or cannot be reached is left out. */
export async function filesAt(paths: readonly string[]): Promise<TranscriptFile[]> {
  const named = paths.filter((path) => NAME.test(basename(path)))
  const files: TranscriptFile[] = []
  for (let at = 0; at < named.length; at += AT_ONCE) {
    const looked = await Promise.all(named.slice(at, at + AT_ONCE).map(fileAt))
    files.push(...looked.flatMap((file) => file ?? []))
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
