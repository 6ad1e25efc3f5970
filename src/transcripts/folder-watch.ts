import { type FSWatcher, watch } from 'node:fs'
import { isErrno } from '../base/errno.ts'

/** Called with the folder and the entry that changed; the name is null if the system does not report it. */
type OnChange = (folder: string, name: string | null) => void

/** Watches folders, not recursively. Only a hint: some systems and network folders report nothing. */
export class FolderWatch {
  readonly #onChange: OnChange
  readonly #watchers = new Map<string, FSWatcher>()

  constructor(onChange: OnChange) {
    this.#onChange = onChange
  }

  /** `refused`: the system has no more watches. `absent`: there is no folder that we may read. */
  add(folder: string): 'watched' | 'absent' | 'refused' {
    if (this.#watchers.has(folder)) return 'watched'
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => this.#onChange(folder, name))
      watcher.on('error', () => {
        this.drop(folder)
        this.#onChange(folder, null)
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
