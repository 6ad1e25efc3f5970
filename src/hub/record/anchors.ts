import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { anchorLine } from '../../audit/checkpoint-note.ts'
import { PromiseQueue } from '../../async/promise-queue.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import { type ReceiverOptions, runForReceiver, sendToReceiver } from '../../system/send-to-receiver.ts'

export interface AnchorSettings {
  /** A file that each checkpoint is appended to. */
  readonly file?: string | undefined
  readonly syslog?: boolean | undefined
  /** A shell command that gets each checkpoint on stdin, or a URL that it is posted to. */
  readonly receiver?: string | undefined
}

interface AnchorDeps {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onError: (anchor: string, reason: string) => void
  /** For tests. */
  readonly retryMs?: number
}

/** Returns why it failed; undefined if it succeeded. */
type Send = (line: string) => Promise<string | undefined>

const TRIES = 3
const RETRY_MS = 2_000
const CLOSE_MS = 5_000
/** A command gets no token and no setting of ours. */
const PASSED_VARIABLES = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TMPDIR', 'SSH_AUTH_SOCK']

/**
 * The places outside the database that get each checkpoint. A checkpoint holds hashes and a time, nothing of what was asked. A
 * place that fails is tried again a few times; a later checkpoint covers the rows of an earlier one that it has missed.
 */
export class Anchors {
  readonly #deps: AnchorDeps
  readonly #places: readonly Place[]

  constructor(settings: AnchorSettings, deps: AnchorDeps) {
    this.#deps = deps
    const { file, syslog = false, receiver } = settings
    this.#places = [
      ...(file === undefined ? [] : [new Place('anchor_file', (line) => appendLine(file, line))]),
      ...(syslog ? [new Place('anchor_syslog', (line) => this.#log(line))] : []),
      ...(receiver === undefined
        ? []
        : [new Place('on_checkpoint', (line) => this.#receive(receiver, line))]),
    ]
  }

  send(note: string): void {
    const { onError, retryMs = RETRY_MS } = this.#deps
    for (const place of this.#places) place.put(anchorLine(note), { onError, retryMs })
  }

  /** Waits a moment for what is on its way. */
  async close(): Promise<void> {
    await withTimeout(Promise.all(this.#places.map((place) => place.done())), CLOSE_MS, undefined)
  }

  #log(line: string): Promise<string | undefined> {
    return runForReceiver('logger', ['-t', 'plexus', '-p', 'user.notice', '--', line], this.#options)
  }

  #receive(receiver: string, line: string): Promise<string | undefined> {
    return sendToReceiver(receiver, `${line}\n`, this.#options)
  }

  get #options(): ReceiverOptions {
    return { env: this.#deps.env, passes: PASSED_VARIABLES }
  }
}

/** One place. While it is busy only the newest checkpoint waits for it. */
class Place {
  readonly #name: string
  readonly #send: Send
  readonly #queue = new PromiseQueue()
  #next: string | undefined

  constructor(name: string, send: Send) {
    this.#name = name
    this.#send = send
  }

  put(line: string, options: Pick<AnchorDeps, 'onError'> & { retryMs: number }): void {
    this.#next = line
    void this.#queue.run(() => this.#sendNext(options))
  }

  done(): Promise<void> {
    return this.#queue.run(async () => {})
  }

  async #sendNext({ onError, retryMs }: Pick<AnchorDeps, 'onError'> & { retryMs: number }): Promise<void> {
    const line = this.#next
    if (line === undefined) return
    this.#next = undefined
    for (let left = TRIES - 1; ; left--) {
      const reason = await this.#send(line)
      if (reason === undefined) return
      if (left === 0) return onError(this.#name, reason)
      await setTimeout(retryMs, undefined, { ref: false })
    }
  }
}

/** A link is not followed: the file is a person's, and its folder may be anybody's. */
async function appendLine(path: string, line: string): Promise<string | undefined> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  try {
    const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
    try {
      await file.appendFile(`${line}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    return undefined
  } catch {
    return 'it could not be written'
  }
}
