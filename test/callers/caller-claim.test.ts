import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallerRecord } from '../../src/callers/caller.ts'
import { callerFromClaim, claimHeaders, claimFromHeaders } from '../../src/callers/caller-claim.ts'
import { asCallerId } from '../rig/tools/ids.ts'
import { codePoint } from '../rig/tools/code-point.ts'

const callers = fc.record({
  id: fc.string().map(asCallerId),
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
  'x-plexus-at': fc.option(fc.string({ unit: codePoint }), { nil: undefined }),
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

const rowOf = (kind: CallerRecord['kind'], scopes: string[] = ['bypass', 'transcripts']): CallerRecord => ({
  id: asCallerId(kind),
  kind,
  name: 'ann',
  tokenHash: '',
  scopes,
  createdAt: 1,
})

const isPerson = (kind: CallerRecord['kind'], said: object) =>
  callerFromClaim(rowOf(kind), claimFromHeaders({ ...said })).person

test('a person is who has the operator token or a device, or a client whose program says so', () => {
  expect(isPerson('operator', {})).toBe(true)
  expect(isPerson('device', {})).toBe(true)
  expect(isPerson('device', { 'x-plexus-model': '1' })).toBe(false)
  expect(isPerson('client', {})).toBe(false)
  expect(isPerson('client', { 'x-plexus-person': '1' })).toBe(true)
  expect(isPerson('client', { 'x-plexus-person': 'yes' })).toBe(false)
  expect(isPerson('session', { 'x-plexus-person': '1' })).toBe(false)
  expect(isPerson('operator', { 'x-plexus-model': '1' })).toBe(false)
  expect(isPerson('client', { 'x-plexus-person': '1', 'x-plexus-model': '1' })).toBe(false)
})

const scopesFor = (said: object) => callerFromClaim(rowOf('operator'), claimFromHeaders({ ...said })).scopes

test('a model has the scope bypass only where it says that it was given it; nobody else loses a scope', () => {
  expect(scopesFor({})).toEqual(['bypass', 'transcripts'])
  expect(scopesFor({ 'x-plexus-model': '1' })).toEqual(['transcripts'])
  expect(scopesFor({ 'x-plexus-model': 'bypass' })).toEqual(['bypass', 'transcripts'])
})

test('a claim that says nothing is one of no model, no person and no bypass', () => {
  const asClient = callerFromClaim(rowOf('client'), { model: false })
  expect(asClient).toStrictEqual({
    id: 'client',
    kind: 'client',
    name: 'ann',
    person: false,
    scopes: ['bypass', 'transcripts'],
  })
  expect(callerFromClaim(rowOf('client'), { model: true }).scopes).toEqual(['transcripts'])
})

const wayOf = (kind: CallerRecord['kind'], said: object) => {
  const { via, formClient } = callerFromClaim(rowOf(kind), claimFromHeaders({ ...said }))
  return [via, formClient]
}

test('the way of an answer is what the program says, if it is one that a program can be', () => {
  const at = Buffer.from('Code é').toString('base64url')
  expect(wayOf('client', {})).toEqual([undefined, undefined])
  expect(wayOf('client', { 'x-plexus-via': 'tool' })).toEqual(['tool', undefined])
  expect(wayOf('client', { 'x-plexus-via': 'rule' })).toEqual([undefined, undefined])
  expect(wayOf('client', { 'x-plexus-via': 'form' })).toEqual(['form', 'a client'])
  expect(wayOf('client', { 'x-plexus-via': 'form', 'x-plexus-at': at })).toEqual(['form', 'Code é'])
  expect(wayOf('client', { 'x-plexus-via': 'form', 'x-plexus-at': [at] })).toEqual(['form', 'a client'])
  expect(wayOf('session', { 'x-plexus-via': 'form' })).toEqual([undefined, undefined])
  expect(wayOf('device', { 'x-plexus-via': 'form' })).toEqual(['page', undefined])
  expect(wayOf('device', {})).toEqual(['page', undefined])
})

test('the headers of a caller say no more than there is to say', () => {
  const operator = {
    id: asCallerId('o'),
    kind: 'operator',
    name: 'operator',
    scopes: ['bypass'],
    person: true,
  } as const
  const client = { ...operator, kind: 'client' } as const
  expect(claimHeaders(operator)).toEqual({})
  expect(claimHeaders({ ...operator, via: 'rpc' })).toEqual({})
  expect(claimHeaders({ ...operator, via: 'tool' })).toEqual({ 'x-plexus-via': 'tool' })
  expect(claimHeaders({ ...client, formClient: 'Code' })).toEqual({
    'x-plexus-at': 'Q29kZQ',
    'x-plexus-person': '1',
  })
  expect(claimHeaders({ ...client, person: false })).toEqual({ 'x-plexus-model': 'bypass' })
  expect(claimHeaders({ ...client, person: false, scopes: [], via: 'form' })).toEqual({
    'x-plexus-via': 'form',
    'x-plexus-model': '1',
  })
})
