import { describe, expect, test } from 'vitest'
import {
  type Caller,
  mayCreate,
  maySee,
  mayAccess,
  type SessionAccess,
  VERBS,
  type Verb,
} from '../../src/callers/access-rules.ts'
import { asksOnly, mayBypass } from '../../src/callers/scopes.ts'
import { asCallerId } from '../rig/tools/ids.ts'

/** A session of client `ann`, two levels deep. */
const SESSION: SessionAccess = { id: 'child', owner: 'client ann', ancestors: ['parent', 'grandparent'] }

const client = (name: string): Caller => ({
  id: asCallerId(`client ${name}`),
  kind: 'client',
  name,
  scopes: [],
  person: false,
})
const session = (name: string): Caller => ({
  id: asCallerId(`session ${name}`),
  kind: 'session',
  name,
  scopes: ['nested'],
  person: false,
})
const operator: Caller = {
  id: asCallerId('operator'),
  kind: 'operator',
  name: 'operator',
  scopes: [],
  person: true,
}

const device = (scope: string): Caller => ({
  id: asCallerId(`device ${scope}`),
  kind: 'device',
  name: scope,
  scopes: [scope],
  person: true,
})

const ALL_BUT_ASK: readonly Verb[] = ['read', 'say', 'answer', 'interrupt', 'change', 'fork', 'stop', 'issue']

/** By kind of caller and what it is to the session: the verbs it has, and whether it sees the session. */
const TABLE: readonly [string, Caller, readonly Verb[], boolean][] = [
  ['the operator', operator, ALL_BUT_ASK, true],
  ['the client that owns it', client('ann'), ALL_BUT_ASK, true],
  ['another client', client('ben'), [], false],
  ['a client that is called as a session above it', { ...client('ben'), name: 'parent' }, [], false],
  ['a client that is called as the session', { ...client('ben'), name: 'child' }, [], false],
  ['the session right above it', session('parent'), ALL_BUT_ASK, true],
  ['a session higher above it', session('grandparent'), ALL_BUT_ASK, true],
  ['the session itself', session('child'), ['ask'], true],
  ['a session beside it', session('sibling'), [], false],
  ['a device that reads', device('read'), ['read'], true],
  ['a device that answers', device('answer'), ['read', 'answer'], true],
  [
    'a device that operates',
    device('operate'),
    ['read', 'say', 'answer', 'interrupt', 'change', 'fork', 'stop'],
    true,
  ],
  ['a device with a scope of clients', device('bypass'), [], false],
  [
    'a session whose caller has the id of the owner',
    { ...session('x'), id: asCallerId('client ann') },
    [],
    false,
  ],
]

describe.each(TABLE)('%s', (_, caller, allowed, sees) => {
  test.each(VERBS)('may it %s', (verb) => {
    expect(mayAccess(caller, verb, SESSION)).toBe(allowed.includes(verb))
  })

  test('does it see the session', () => {
    expect(maySee(caller, SESSION)).toBe(sees)
  })
})

test('a session has nothing of the sessions above it', () => {
  const above: SessionAccess = { id: 'parent', owner: 'client ann', ancestors: ['grandparent'] }
  expect(VERBS.filter((verb) => mayAccess(session('child'), verb, above))).toEqual([])
  expect(maySee(session('child'), above)).toBe(false)
})

test.each<[string, Caller, boolean]>([
  ['the operator', operator, false],
  ['a client', client('ann'), false],
  ['a nested session', session('child'), false],
  ['a session that is not nested', { ...session('child'), scopes: ['transcripts'] }, true],
  ['a session without scopes', { ...session('child'), scopes: [] }, true],
])('%s only asks: %#', (_, caller, only) => {
  expect(asksOnly(caller)).toBe(only)
  expect(mayCreate(caller)).toBe(!only)
})

test('only a device that operates may begin sessions', () => {
  expect(['read', 'answer', 'operate'].map((scope) => mayCreate(device(scope)))).toEqual([false, false, true])
})

test('the scope bypass counts for an operator and a client, never for a device or a session', () => {
  const withBypass = [operator, client('ann'), device('operate'), session('child')].map((caller) => ({
    ...caller,
    scopes: ['nested', 'bypass'],
  }))
  expect(withBypass.map(mayBypass)).toEqual([true, true, false, false])
  expect([operator, client('ann'), session('child')].map(mayBypass)).toEqual([false, false, false])
})
