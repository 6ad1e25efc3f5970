import type { GrantStore } from '../../approvals/grant.ts'
import { idTaken } from '../refusals.ts'
import { copiesOf, copyOf, sessionIn, type Tables } from './tables.ts'

export function memoryGrants(tables: Tables): GrantStore {
  const { grants } = tables
  return {
    add: async (grant) => {
      sessionIn(tables, grant.sessionId)
      if (grants.has(grant.id)) throw idTaken('grant')
      grants.set(grant.id, copyOf(grant))
    },
    ofSession: async (sessionId) => copiesOf(grants.values(), (grant) => grant.sessionId === sessionId),
    remove: async (id) => grants.delete(id),
  }
}
