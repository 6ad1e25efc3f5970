import { checkpointNote } from '../../audit/checkpoint-note.ts'
import type { RecordStore } from '../../audit/record-store.ts'
import type { NoteSigner } from '../../audit/signed-note.ts'
import { PromiseQueue } from '../../async/promise-queue.ts'
import { type Clock, systemClock } from '../../base/clock.ts'

export interface CheckpointDeps {
  readonly record: RecordStore
  readonly signer: NoteSigner
  /** Hands a note to the anchors; must not throw, and must not wait for them. */
  readonly onNote: (note: string) => void
  readonly onError: (error: unknown) => void
  readonly clock?: Clock | undefined
}

/** At most one checkpoint in this time; rows wait for their signature no longer than this, or than the retry after an error. */
const EVERY_MS = 1_000
const RETRY_MS = 20_000

/**
 * Signs the record after rows were added, never in the way of an answer. The commit of a checkpoint reaches the disk before its
 * note reaches an anchor: otherwise a loss of power could leave an anchor of rows that are gone.
 */
export class CheckpointWriter {
  readonly #deps: CheckpointDeps
  readonly #clock: Clock
  readonly #queue = new PromiseQueue()
  readonly #stopListening: () => void
  #cancel: (() => void) | undefined

  constructor(deps: CheckpointDeps) {
    this.#deps = deps
    this.#clock = deps.clock ?? systemClock
    this.#stopListening = deps.record.onAppended(() => this.#schedule(EVERY_MS))
    // An earlier hub may have ended before it could sign.
    this.#schedule(EVERY_MS)
  }

  /** Signs what is not signed yet, now. */
  sign(): Promise<void> {
    return this.#queue.run(() => this.#sign())
  }

  /** The last checkpoint of this hub. */
  async close(): Promise<void> {
    this.#stopListening()
    this.#cancel?.()
    await this.sign().catch(this.#deps.onError)
  }

  #schedule(ms: number): void {
    this.#cancel ??= this.#clock.setTimer(ms, () => {
      this.#cancel = undefined
      this.sign().catch((error: unknown) => {
        this.#deps.onError(error)
        this.#schedule(RETRY_MS)
      })
    })
  }

  async #sign(): Promise<void> {
    const { record, signer, onNote } = this.#deps
    const head = await record.head()
    const last = await record.lastCheckpoint()
    if (head.number <= (last?.size ?? 0)) return
    const at = this.#clock.now()
    const note = checkpointNote(signer, head, { previous: last?.note, at })
    await record.addCheckpoint({ size: head.number, at, note })
    onNote(note)
  }
}
