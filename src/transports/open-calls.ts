/** The calls that wait for an answer, by caller and id: one may be cancelled by a message of its own. */
export class OpenCalls {
  readonly #open = new Map<string, AbortController>()

  open(callerId: string, id: string | number): { signal: AbortSignal; close: () => void } {
    const key = keyOf(callerId, id)
    const call = new AbortController()
    this.#open.set(key, call)
    const close = () => {
      if (this.#open.get(key) === call) this.#open.delete(key)
    }
    return { signal: call.signal, close }
  }

  cancel(callerId: string, id: string | number): void {
    this.#open.get(keyOf(callerId, id))?.abort()
  }
}

/** 1 and "1" are two ids. */
function keyOf(callerId: string, id: string | number): string {
  return JSON.stringify([callerId, id])
}
