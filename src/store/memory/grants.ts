import type { GrantStore } from '../../approvals/grant.ts'
import { copiesOf, type Tables } from './tables.ts'

export function memoryGrants({ grants }: Tables): GrantStore {
  return {
    all: async () => copiesOf(grants.values()),
    ofSession: async (sessionId) => copiesOf(grants.values(), (grant) => grant.sessionId === sessionId),
    remove: async (id) => grants.delete(id),
  }
}
