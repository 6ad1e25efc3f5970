import { type FSWatcher, watch } from 'node:fs'
import { isErrno } from '../base/errno.ts'

/** Tells which entry of which folder changed; without a name when the system does not say which. */
type OnChange = (folder: string, name: string | null) => void

/** Watches folders, not what is below them. It is a nudge: some systems and network folders tell nothing. */
export class FolderWatch {
  readonly #told: OnChange
  readonly #watchers = new Map<string, FSWatcher>()

  constructor(onChange: OnChange) {
    this.#told = onChange
  }

  /** `refused` is when the system has no more watches to give; `absent` when there is nothing that we may read. */
  add(folder: string): 'watched' | 'absent' | 'refused' {
    if (this.#watchers.has(folder)) return 'watched'
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => this.#told(folder, name))
      watcher.on('error', () => {
        this.drop(folder)
        this.#told(folder, null)
      })
      this.#watchers.set(folder, watcher)
      return 'watched'
    } catch (error) {
      return isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES') ? 'absent' : 'refused'
    }
  }

  drop(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }

  close(): void {
    for (const folder of this.#watchers.keys()) this.drop(folder)
  }
}
