import { sessionOfProcess } from '../../transcripts/running-elsewhere.ts'

/**
 * The conversation that a process of the CLI has open, also after `/clear`. The CLI removes its file when it ends, so it is
 * read again and again until then.
 */
export class ConversationWatch {
  readonly #timer: NodeJS.Timeout
  #last: string | undefined

  constructor(configFolder: string | undefined, pid: number) {
    const read = async () => {
      if (configFolder !== undefined) this.#last = (await sessionOfProcess(configFolder, pid)) ?? this.#last
    }
    this.#timer = setInterval(() => void read(), READ_MS).unref()
  }

  /** The last one that was seen. */
  end(): string | undefined {
    clearInterval(this.#timer)
    return this.#last
  }
}

/** Nobody types two commands in less. */
const READ_MS = 200
