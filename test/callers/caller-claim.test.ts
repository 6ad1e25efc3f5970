import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallerRecord } from '../../src/callers/caller.ts'
import { callerFromClaim, claimHeaders, claimFromHeaders } from '../../src/callers/caller-claim.ts'

const callers = fc.record({
  id: fc.string(),
  kind: fc.constantFrom<CallerRecord['kind']>('operator', 'client', 'session'),
  name: fc.string(),
  tokenHash: fc.string(),
  scopes: fc.subarray(['bypass', 'transcripts', 'nested']),
  createdAt: fc.nat(),
})
const headers = fc.record({
  'x-plexus-model': fc.option(fc.constantFrom('1', 'bypass', '', 'no'), { nil: undefined }),
  'x-plexus-person': fc.option(fc.constantFrom('1', '', 'yes'), { nil: undefined }),
  'x-plexus-via': fc.option(fc.constantFrom('form', 'tool', 'rpc', 'rule', ''), { nil: undefined }),
  'x-plexus-at': fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
})

test('S16, S17: no claim adds a scope, and none turns a child or a model into a person', () => {
  fc.assert(
    fc.property(callers, headers, (caller, said) => {
      const { scopes, person, id, kind, name, via } = callerFromClaim(caller, claimFromHeaders(said))
      expect({ id, kind }).toEqual({ id: caller.id, kind: caller.kind })
      expect(via === 'form' && kind === 'session').toBe(false)
      const formName = person ? /^a person at / : /^form at .*, no person known/s
      expect(via === 'form' ? formName.test(name) : name === caller.name).toBe(true)
      for (const scope of scopes) expect(caller.scopes).toContain(scope)
      const model = said['x-plexus-model']
      expect(person && (model !== undefined || caller.kind === 'session')).toBe(false)
      expect(scopes.includes('bypass') && model !== undefined && model !== 'bypass').toBe(false)
    }),
  )
})

test('the hub reads the claim that a caller sends, within the rights of its token', () => {
  fc.assert(
    fc.property(callers, headers, (caller, said) => {
      fc.pre(caller.kind !== 'session')
      const identity = callerFromClaim(caller, claimFromHeaders(said))
      expect(callerFromClaim(caller, claimFromHeaders(claimHeaders(identity)))).toEqual(identity)
    }),
  )
})
