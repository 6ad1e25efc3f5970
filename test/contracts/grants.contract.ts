import { beforeEach, describe, expect, it } from 'vitest'
import type { Grant } from '../../src/approvals/grants/grant.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { asGrantId, asSessionId } from '../rig/tools/ids.ts'
import { refusalOf } from './refusal.ts'
import { ALLOW, GRANT, anApproval, aSession, aStep, idsOf } from './rows.ts'

export function grantsContract(store: () => Store): void {
  describe('grants', () => {
    beforeEach(async () => {
      await store().sessions.create(aSession())
      await store().sessions.create(aSession({ id: 's2' }))
    })

    it('are added with a step, come back whole, and are listed in order', async () => {
      const odd = { toolName: 'a\u0000', subject: '\ud800' }
      const other = grant('g0', { rules: [{ id: 'g0', effect: 'allow', exact: odd }], endsAt: 9 })
      await add(store(), GRANT)
      await add(store(), { ...GRANT, by: 'another' }, other)
      expect(await store().grants.ofSession('s1')).toStrictEqual([GRANT, other])
      expect(await store().grants.get('g0')).toStrictEqual(other)
      expect(await store().grants.get('none')).toBeUndefined()
    })

    it('come with the answer that was remembered, or not at all', async () => {
      await store().journal.append(aStep(1, { opened: [anApproval()] }))
      await store().journal.append(aStep(1, { settled: [ALLOW], granted: [GRANT] }))
      const again = store().journal.append(aStep(1, { settled: [ALLOW], granted: [{ ...GRANT, id: 'g2' }] }))
      expect((await refusalOf(again)).code).toBe('already_settled')
      expect(await store().grants.current()).toStrictEqual([GRANT])
    })

    it('are found by what they hold for', async () => {
      const tree = grant('tree', { scope: 'tree', rules: [{ id: 'tree', effect: 'allow', tree: ['s1'] }] })
      const wide = [tree, grant('folder', { scope: 'folder' }), grant('always', { scope: 'always' })]
      const own = [grant('turn', { scope: 'turn' }), grant('hour', { endsAt: 1 }), grant('session')]
      await add(store(), ...wide, ...own)
      const { grants } = store()
      expect(idsOf(await grants.current())).toEqual(['tree', 'folder', 'always', 'turn', 'hour', 'session'])
      expect(idsOf(await grants.wide())).toEqual(['tree', 'folder', 'always'])
      expect(idsOf(await grants.ofSession('s1'))).toEqual(['turn', 'hour', 'session'])
      expect(await grants.ofSession('s2')).toEqual([])
      expect(idsOf(await grants.ending())).toEqual(['turn', 'hour'])
    })

    it('end once, by a step of any session or by themselves, and are known afterwards until they are removed', async () => {
      await add(store(), GRANT, grant('g2'), grant('g3', { scope: 'always' }))
      const revoked = { how: 'revoked', at: 5, by: 'ann' } as const
      const ends = ['g1', 'g2', 'none'].map((id) => ({ id: asGrantId(id), ...revoked }))
      await store().journal.append({ ...aStep(1, { endedGrants: ends }), sessionId: asSessionId('s2') })
      const { grants } = store()
      expect(await grants.end('g1', { how: 'expired', at: 6 })).toBe(false)
      expect(await grants.end('none', { how: 'expired', at: 6 })).toBe(false)
      expect(await grants.end('g3', { how: 'expired', at: 6 })).toBe(true)
      expect(await grants.current()).toEqual([])
      expect(await grants.get('g1')).toStrictEqual({ ...GRANT, ended: revoked })
      expect(await grants.get('g3')).toMatchObject({ ended: { how: 'expired', at: 6 } })
      expect(idsOf(await grants.ended(9))).toEqual(['g3', 'g2', 'g1'])
      expect((await grants.ended(2))[1]).toStrictEqual({ ...grant('g2'), ended: revoked })
      await grants.removeEndedBefore(6)
      expect([await grants.get('g2'), (await grants.get('g3'))?.id]).toEqual([undefined, 'g3'])
    })

    it('end with a row of the record, or with none', async () => {
      await add(store(), GRANT)
      const entry = { kind: 'grant-expired', at: 6, body: { grantId: 'g1' } } as const
      const before = (await store().record.head()).number
      await store().grants.end('g1', { how: 'expired', at: 6 }, entry)
      await store().grants.end('g1', { how: 'expired', at: 6 }, entry)
      expect((await store().record.head()).number).toBe(before + 1)
    })

    it('of a session or a tree go with it; those of a folder, and of all, outlive it', async () => {
      const tree = grant('tree', { scope: 'tree', rules: [{ id: 'tree', effect: 'allow', tree: ['s2'] }] })
      await add(
        store(),
        GRANT,
        tree,
        grant('folder', { scope: 'folder' }),
        grant('always', { scope: 'always' }),
      )
      await store().sessions.remove('s1')
      expect(idsOf(await store().grants.current())).toEqual(['tree', 'folder', 'always'])
      await store().sessions.remove('s2')
      expect(idsOf(await store().grants.current())).toEqual(['folder', 'always'])
    })

    it('need a session', async () => {
      const lost = { ...GRANT, sessionId: asSessionId('x') }
      expect((await refusalOf(add(store(), lost))).code).toBe('not_found')
    })
  })
}

const add = (store: Store, ...granted: Grant[]) => store.journal.append(aStep(0, { granted }))

function grant(id: string, fields: Partial<Grant> = {}): Grant {
  return { ...GRANT, id: asGrantId(id), ...fields }
}
