import type { CallerStore } from '../../callers/caller.ts'
import { tokenTakenError } from '../store-errors.ts'
import { copiesOf, copyOf, type Tables } from './tables.ts'

export function memoryCallers({ callers }: Tables): CallerStore {
  const withHash = (hash: string) => [...callers.values()].find(({ tokenHash }) => tokenHash === hash)
  return {
    put: async (caller) => {
      const withToken = withHash(caller.tokenHash)
      if (withToken && withToken.id !== caller.id) throw tokenTakenError()
      callers.set(caller.id, copyOf(caller))
    },
    byTokenHash: async (hash) => copyOf(withHash(hash)),
    byName: async (kind, name) =>
      copiesOf(callers.values(), (caller) => caller.kind === kind && caller.name === name).at(-1),
    list: async () => copiesOf(callers.values()),
  }
}
