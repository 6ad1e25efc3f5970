import { type FSWatcher, watch } from 'node:fs'

/** Tells which entry of which folder changed; without a name when the system does not say which. */
type Told = (folder: string, name: string | null) => void

/** Watches folders, not what is below them. It is a nudge: some systems and network folders tell nothing. */
export class FolderWatch {
  readonly #told: Told
  readonly #watchers = new Map<string, FSWatcher>()

  constructor(told: Told) {
    this.#told = told
  }

  /** False when the system refuses, such as when it has no more watches to give or the folder is gone. */
  add(folder: string): boolean {
    if (this.#watchers.has(folder)) return true
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => this.#told(folder, name))
      watcher.on('error', () => {
        this.drop(folder)
        this.#told(folder, null)
      })
      this.#watchers.set(folder, watcher)
      return true
    } catch {
      return false
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
