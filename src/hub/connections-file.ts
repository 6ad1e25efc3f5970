import { join } from 'node:path'
import { z } from 'zod'
import { PromiseQueue } from '../async/promise-queue.ts'
import { RecentMap } from '../base/recent-map.ts'
import { readPrivateFile, replacePrivateFile } from '../system/files/private-file.ts'
import { parseJson } from '../text/json-text.ts'

const Kept = z.object({ uris: z.array(z.string()), sessions: z.array(z.string()), ended: z.boolean() })
const File = z.array(z.tuple([z.string(), Kept]))
type Kept = Readonly<z.infer<typeof Kept>>
/** Entries are replaced, never changed in place. */
interface KeptReadonly {
  readonly uris: readonly string[]
  readonly sessions: readonly string[]
  readonly ended: boolean
}

/**
 * What the hubs of a home folder store about HTTP connections: the subscriptions of their clients, and which connections were
 * ended. A file that cannot be read counts as empty: a client then gets no notifications until it subscribes again.
 */
export class ConnectionsFile {
  readonly #path: string
  readonly #kept = new RecentMap<string, KeptReadonly>(MAX_CONNECTIONS)
  readonly #writes = new PromiseQueue()

  private constructor(path: string, kept: readonly (readonly [string, Kept])[]) {
    this.#path = path
    for (const [key, connection] of kept) this.#kept.set(key, connection)
  }

  static async open(home: string): Promise<ConnectionsFile> {
    const path = join(home, 'connections.json')
    const text = await readPrivateFile(path).catch(() => '[]')
    return new ConnectionsFile(path, File.safeParse(parseJson(text)).data ?? [])
  }

  get(key: string): KeptReadonly | undefined {
    return this.#kept.get(key)
  }

  /** Resolves when the file is written; the most recently used entries are kept. */
  put(key: string, kept: KeptReadonly): Promise<void> {
    this.#kept.set(key, kept)
    return this.#writes.run(() => replacePrivateFile(this.#path, JSON.stringify([...this.#kept])))
  }
}

const MAX_CONNECTIONS = 200
