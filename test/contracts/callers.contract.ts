import { describe, expect, it } from 'vitest'
import type { CallerRecord } from '../../src/callers/caller.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { refusalOf } from './refusal.ts'
import { asCallerId } from '../rig/tools/ids.ts'

export function callersContract(store: () => Store): void {
  describe('callers', () => {
    const caller: CallerRecord = {
      id: asCallerId('c1'),
      kind: 'client',
      name: 'editor',
      tokenHash: 'hash1',
      scopes: ['transcripts'],
      createdAt: 1,
    }

    it('are found by token and by name, the newest of a name first', async () => {
      const newer: CallerRecord = { ...caller, id: asCallerId('c2'), tokenHash: 'hash2' }
      const session: CallerRecord = { ...caller, id: asCallerId('c3'), kind: 'session', tokenHash: 'hash3' }
      for (const row of [caller, newer, session]) await store().callers.put(row)
      expect(await store().callers.byTokenHash('hash1')).toStrictEqual(caller)
      expect(await store().callers.byTokenHash('other')).toBeUndefined()
      expect(await store().callers.byName('client', 'editor')).toStrictEqual(newer)
      expect(await store().callers.byName('operator', 'editor')).toBeUndefined()
      expect(await store().callers.byName('session', 'editor')).toStrictEqual(session)
      expect(await store().callers.list('client')).toStrictEqual([caller, newer])
      expect(await store().callers.list('device')).toEqual([])
    })

    it('are put in the place of the one with the same id, and its old token is void', async () => {
      await store().callers.put(caller)
      const revoked: CallerRecord = { ...caller, tokenHash: 'hash9', revokedAt: 5 }
      await store().callers.put(revoked)
      expect(await store().callers.byName('client', 'editor')).toStrictEqual(revoked)
      expect(await store().callers.byTokenHash('hash9')).toStrictEqual(revoked)
      expect(await store().callers.byTokenHash('hash1')).toBeUndefined()
      expect((await refusalOf(store().callers.put({ ...revoked, id: asCallerId('c2') }))).code).toBe('in_use')
    })
  })
}
