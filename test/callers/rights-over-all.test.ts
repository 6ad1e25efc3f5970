import { describe, expect, test } from 'vitest'
import {
  type Caller,
  mayAccess,
  mayAnswerTerminals,
  mayChangeRules,
  mayEndWideGrants,
  mayListFolders,
  mayReadRecord,
  mayReadRules,
  mayRememberWidely,
  type SessionAccess,
  VERBS,
} from '../../src/callers/access-rules.ts'
import { type ClientScopes, mayReadTranscripts, scopesOf } from '../../src/callers/scopes.ts'
import { asCallerId } from '../rig/tools/ids.ts'

function caller(kind: Caller['kind'], person: boolean, ...scopes: string[]): Caller {
  return { id: asCallerId(kind), kind, name: kind, scopes, person }
}

/** What is about all sessions, or about the machine of the hub: not what a caller may do to a session of its own. */
const RIGHTS = {
  mayReadRecord,
  mayAnswerTerminals,
  mayListFolders,
  mayReadRules,
  mayChangeRules,
  mayRememberWidely,
  mayEndWideGrants,
  mayReadTranscripts,
}

const READS = ['mayReadRecord', 'mayAnswerTerminals', 'mayReadRules', 'mayReadTranscripts'] as const
const ANSWERS = [...READS, 'mayRememberWidely', 'mayEndWideGrants'] as const
const ALL = [...ANSWERS, 'mayListFolders', 'mayChangeRules'] as const

const TABLE: readonly [string, Caller, readonly (keyof typeof RIGHTS)[]][] = [
  ['the operator', caller('operator', true), ALL],
  [
    'a model with the token of the operator',
    caller('operator', false),
    ['mayReadRecord', 'mayReadTranscripts', 'mayEndWideGrants'],
  ],
  ['a device that reads', caller('device', true, 'read'), READS],
  ['a device that answers', caller('device', true, 'answer'), ANSWERS],
  ['a device that operates', caller('device', true, 'operate'), ALL],
  ['a client', caller('client', false), []],
  ['the person at a client', caller('client', true, 'bypass', 'answer', 'operate'), []],
  ['a client with the scope transcripts', caller('client', true, 'transcripts'), ['mayReadTranscripts']],
  ['a nested session', caller('session', false, 'nested', 'answer', 'operate'), []],
]

describe.each(TABLE)('%s', (_, who, has) => {
  test.each(Object.entries(RIGHTS))('%s', (name, may) => {
    expect(may(who)).toBe(has.some((right) => right === name))
  })
})

describe('a conversation in a terminal', () => {
  const TERMINAL: SessionAccess = { id: 't', owner: 'operator', ancestors: [], terminal: true }

  test('is read and forked by a client with the scope transcripts, and no more', () => {
    const withScope = caller('client', false, 'transcripts')
    expect(VERBS.filter((verb) => mayAccess(withScope, verb, TERMINAL))).toEqual(['read', 'fork'])
    expect(VERBS.filter((verb) => mayAccess(withScope, verb, { ...TERMINAL, terminal: undefined }))).toEqual(
      [],
    )
  })

  test('does not exist for a client without it', () => {
    expect(VERBS.filter((verb) => mayAccess(caller('client', false), verb, TERMINAL))).toEqual([])
  })
})

describe('the scopes of a caller', () => {
  const given: ClientScopes = { ann: ['transcripts'], ben: ['bypass'] }
  const scopes = (kind: Caller['kind'], name: string) =>
    scopesOf({ kind, name, scopes: ['of the record'] }, () => given)

  test('of a client are those that the configuration gives to its name now, whatever its record says', () => {
    expect(scopes('client', 'ann')).toEqual(['transcripts'])
    expect(scopes('client', 'cem')).toEqual([])
    expect(scopes('client', 'constructor')).toEqual([])
  })

  test('of all others are those of the record, also where a client has the same name', () => {
    for (const kind of ['operator', 'device', 'session'] as const)
      expect(scopes(kind, 'ben')).toEqual(['of the record'])
  })
})
