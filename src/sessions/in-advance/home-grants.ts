import { type Grant, type GrantStore, isWide } from '../../approvals/grants/grant.ts'
import { HubTime } from './hub-time.ts'

/** The grants of a home folder that hold for more than one session, as they are now; every session reads them here. */
export class HomeGrants {
  readonly time: HubTime
  readonly #onOver: (grant: Grant) => void
  /** Another array after each change. */
  wide: readonly Grant[] = []

  /** `onOver` gets a grant that is found to have reached its end, possibly more than once. */
  constructor({ time = new HubTime(), onOver }: { time?: HubTime; onOver: (grant: Grant) => void }) {
    this.time = time
    this.#onOver = onOver
  }

  async load(store: GrantStore): Promise<void> {
    this.wide = await store.wide()
    for (const { at } of this.wide) this.time.notBefore(at)
  }

  add(grant: Grant): void {
    if (isWide(grant)) this.wide = [...this.wide, grant]
  }

  remove(id: string): void {
    this.wide = this.wide.filter((grant) => grant.id !== id)
  }

  reportOver(grant: Grant): void {
    this.#onOver(grant)
  }
}
