/** Whether the hub of a command answers. A screen shows it, because what it shows may be old. */
export class HubPresence {
  #awaySince: number | undefined
  #hasAnswered = false
  readonly #listeners = new Set<() => void>()

  get awaySince(): number | undefined {
    return this.#awaySince
  }

  /** A person must not wait without a line for a hub that is stuck. A long wait at a hub that answers needs none. */
  async sayIfSilent(home: string, patienceMs: number, say: (line: string) => void): Promise<void> {
    if (this.#hasAnswered) return
    const [{ readHubRecord }, { hubAnswers, silentHubSentence }] = await Promise.all([
      import('../hub/hub-record.ts'),
      import('../hub-client/hub-answers.ts'),
    ])
    const record = await readHubRecord(home)
    if (!record || (await hubAnswers(record.socket, patienceMs)) || this.#hasAnswered) return
    say(`${silentHubSentence(record.pid)} This command waits for it.`)
  }

  readonly note = (isThere: boolean): void => {
    this.#hasAnswered ||= isThere
    if (isThere === (this.#awaySince === undefined)) return
    this.#awaySince = isThere ? undefined : Date.now()
    for (const listener of this.#listeners) listener()
  }

  /** Returns how to stop listening. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
