import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateFile, replacePrivateFile } from '../system/private-file.ts'
import { parseJson } from '../text/json-text.ts'

const Kept = z.object({ uris: z.array(z.string()), sessions: z.array(z.string()), ended: z.boolean() })
const File = z.array(z.tuple([z.string(), Kept]))
type Kept = Readonly<z.infer<typeof Kept>>
/** Nothing is changed in place. */
interface KeptReadonly {
  readonly uris: readonly string[]
  readonly sessions: readonly string[]
  readonly ended: boolean
}

/**
 * What the hubs of a home folder keep of connections over HTTP: what their clients want to hear of, and which were ended. A
 * file that cannot be read is none: a client then hears nothing until it subscribes again, and nobody else is hurt.
 */
export class ConnectionsFile {
  readonly #path: string
  readonly #kept: Map<string, KeptReadonly>
  #writing = Promise.resolve()

  private constructor(path: string, kept: readonly (readonly [string, Kept])[]) {
    this.#path = path
    this.#kept = new Map(kept)
  }

  static async open(home: string): Promise<ConnectionsFile> {
    const path = join(home, 'connections.json')
    const text = await readPrivateFile(path).catch(() => '[]')
    return new ConnectionsFile(path, File.safeParse(parseJson(text)).data ?? [])
  }

  get(key: string): KeptReadonly | undefined {
    return this.#kept.get(key)
  }

  /** Resolves when it is written; the last used are kept. */
  put(key: string, kept: KeptReadonly): Promise<void> {
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_CONNECTIONS && oldest !== undefined) this.#kept.delete(oldest)
    this.#writing = this.#writing
      .catch(() => {})
      .then(() => replacePrivateFile(this.#path, JSON.stringify([...this.#kept])))
    return this.#writing
  }
}

const MAX_CONNECTIONS = 200
