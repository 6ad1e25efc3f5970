import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What is known of each file at a moment: its bytes and its times, but for that of reading, which many systems do not keep. */
type Look = ReadonlyMap<string, string>

/** Files, and folders with all that is right in them, that should stay as they are. */
export class WatchedFiles {
  readonly #paths: readonly string[]
  #last: Look

  constructor(paths: readonly string[]) {
    this.#paths = paths
    this.#last = look(paths)
  }

  /** Those that came, went or changed since it was last called. Synchronous, so that nothing happens meanwhile. */
  changes(): string[] {
    const before = this.#last
    const now = look(this.#paths)
    this.#last = now
    return [...new Set([...before.keys(), ...now.keys()])].filter(
      (path) => before.get(path) !== now.get(path),
    )
  }
}

function look(paths: readonly string[]): Look {
  return new Map(paths.flatMap((path) => filesIn(path)).map((path) => [path, stateOf(path)]))
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).map(({ name }) => join(path, name))
  } catch {
    return [path]
  }
}

function stateOf(path: string): string {
  try {
    const { mtimeMs, ctimeMs, mode } = statSync(path)
    const bytes = statSync(path).isFile() ? readFileSync(path, 'latin1') : ''
    return JSON.stringify([mtimeMs, ctimeMs, mode, bytes])
  } catch {
    return 'gone'
  }
}
