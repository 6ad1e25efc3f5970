import { afterEach, beforeEach } from 'vitest'
import type { Store } from '../../src/sessions/record/store.ts'
import { approvalsContract } from './approvals.contract.ts'
import { grantsContract } from './grants.contract.ts'
import { callersContract } from './callers.contract.ts'
import { eventsContract } from './events.contract.ts'
import { journalContract } from './journal.contract.ts'
import { recordContract } from './record.contract.ts'
import { noticesContract } from './notices.contract.ts'
import { seqContract } from './seq.contract.ts'
import { sessionsContract } from './sessions.contract.ts'

/** What every store does. `open` gives a new and empty one, `reopen` what a restart makes of it. */
export function storeContract(open: () => Promise<Store>, reopen: (store: Store) => Promise<Store>): void {
  let opened: Store
  const store = () => opened
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.close())

  sessionsContract(store)
  journalContract(store)
  eventsContract(store)
  approvalsContract(store)
  grantsContract(store)
  callersContract(store)
  recordContract(store)
  noticesContract(store)
  seqContract(open, reopen)
}
