import type { Server } from '@modelcontextprotocol/server'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import {
  EMPTY_CONNECTION,
  type LastingConnection,
  type StoredConnection,
} from '../../../src/transports/lasting-connection.ts'
import { followAgain, noteFollowed } from '../../../src/transports/person/follow-after-restart.ts'
import { FormSwitch } from '../../../src/transports/person/known-person.ts'
import { OpenForms } from '../../../src/transports/person/open-forms.ts'
import { QuestionFollower } from '../../../src/transports/person/question-follower.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { LAST_SEQ, QuestionEngine } from '../../rig/clients/question-engine.ts'

/** A connection of which these sessions are kept. */
function aConnection(sessions: readonly string[]) {
  let kept: StoredConnection = { ...EMPTY_CONNECTION, sessions }
  const connection: Pick<LastingConnection, 'kept' | 'keep'> = {
    kept: () => kept,
    keep: async (change) => {
      kept = { ...kept, ...change }
    },
  }
  return { lasting: connection as LastingConnection, sessions: () => kept.sessions }
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`)

test('a session whose questions are put to the person is noted once, and only the latest 32 are', () => {
  const { lasting, sessions } = aConnection([])
  for (const id of ['s1', 's2', 's1']) noteFollowed(lasting, id)
  expect(sessions()).toEqual(['s1', 's2'])
  const full = aConnection(many(32))
  noteFollowed(full.lasting, 'new')
  expect(full.sessions()).toEqual([...many(32).slice(1), 'new'])
})

const keepFails = () => Promise.reject(new Error('The disk is full.'))

test('without a connection that lasts there is nothing to note, and a full disk is no error', async () => {
  expect(() => noteFollowed(undefined, 's1')).not.toThrow()
  noteFollowed({ ...aConnection([]).lasting, keep: keepFails }, 's1')
  await nextTurn()
})

interface Setting {
  readonly caller?: Caller
  readonly elicitation?: object | undefined
  readonly ask?: 'both' | 'model'
}

async function restarted(
  sessions: readonly string[],
  { caller = CALLERS.owner, elicitation = {}, ask = 'both' }: Setting = {},
) {
  const { engine, followed } = new QuestionEngine()
  const server = {
    getClientCapabilities: () => ({ elicitation }),
    getClientVersion: () => ({ name: 'test', version: '0' }),
  } as unknown as Server
  const forms = new OpenForms(engine)
  const follower = new QuestionFollower({
    engine,
    caller,
    forms,
    put: async () => {},
    stream: () => undefined,
  })
  const seat = { ask, isTerminal: false, forms: new FormSwitch() }
  await followAgain(aConnection(sessions).lasting, { server, caller, seat, engine, follower })
  await nextTurn()
  follower.close()
  return followed.map(({ sessionId, after }) => [sessionId, after])
}

test('the next hub follows the sessions that are still there, from where they are', async () => {
  expect(await restarted(['s1', 'gone', 's2'])).toEqual([
    ['s1', LAST_SEQ],
    ['s2', LAST_SEQ],
  ])
})

test.each<[string, Setting]>([
  ['takes no forms', { elicitation: { url: {} } }],
  ['is for the model', { ask: 'model' }],
  ['is of a child', { caller: CALLERS.parent }],
])('no session is followed where the connection %s', async (_, setting) => {
  expect(await restarted(['s1'], setting)).toEqual([])
})
