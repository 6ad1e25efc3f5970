import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { isErrno } from '../../base/errno.ts'

/**
 * The hub's end of the bell. Holding it shows the keeper that a hub is there; ringing it makes the keeper read the folder.
 * Synchronous on purpose: the descriptor is non-blocking, so no call can wait.
 */
export class Bell {
  readonly #fd: number
  #open = true

  private constructor(fd: number) {
    this.#fd = fd
  }

  /** Undefined if no keeper listens, if there is no bell, or if something else is in its place. */
  static open(path: string): Bell | undefined {
    try {
      return new Bell(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW))
    } catch (error) {
      if (isErrno(error, 'ENXIO', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES')) return undefined
      throw error
    }
  }

  /** False if the keeper is gone. A full bell is fine: the keeper will read the folder anyway. */
  ring(word: '' | 'hub' | 'stop' | 'gone' = ''): boolean {
    if (!this.#open) return false
    try {
      writeSync(this.#fd, `${word}\n`)
      return true
    } catch (error) {
      if (isErrno(error, 'EAGAIN')) return true
      if (isErrno(error, 'EPIPE')) return false
      throw error
    }
  }

  close(): void {
    if (!this.#open) return
    this.#open = false
    closeSync(this.#fd)
  }
}
