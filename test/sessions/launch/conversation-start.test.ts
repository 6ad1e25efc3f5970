import { expect, test } from 'vitest'
import { conversationStart } from '../../../src/sessions/launch/conversation-start.ts'
import type { HubEnvironment } from '../../../src/sessions/launch/hub-environment.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { aSession } from '../../contracts/rows.ts'

/** A hub whose CLI has these conversations, some of them open in another process. */
function hub(has: readonly string[], openElsewhere: readonly string[] = []): HubEnvironment {
  return {
    home: '/home',
    env: {},
    leaseSeconds: 1,
    trusted: () => [],
    findCli: () => Promise.reject(new Error('not needed')),
    transcriptOf: async (id) => (has.includes(id) ? `/transcripts/${id}` : undefined),
    openElsewhere: async (id) => (openElsewhere.includes(id) ? 4711 : undefined),
    onError: () => {},
  }
}

const started = aSession({ id: 's', lastSeq: 3 })
const fork = aSession({ id: 's', origin: { kind: 'fork', from: 'source', at: 'message' } })

test.each<[string, Session, string[], object]>([
  ['without a prompt before', aSession({ id: 's' }), ['s'], { kind: 'new' }],
  ['with a conversation', started, ['s'], { kind: 'resume', transcript: '/transcripts/s' }],
  ['whose conversation is gone', started, [], { kind: 'new' }],
  [
    'that continues a conversation of the CLI',
    aSession({ id: 's', origin: { kind: 'resume' } }),
    ['s'],
    { kind: 'resume', transcript: '/transcripts/s' },
  ],
  [
    'that continued a conversation which is gone',
    aSession({ id: 's', origin: { kind: 'resume' } }),
    [],
    { kind: 'new' },
  ],
  [
    'forked, before its first process',
    fork,
    ['source'],
    { kind: 'fork', from: 'source', at: 'message', transcript: '/transcripts/source' },
  ],
  ['forked from what is gone', fork, [], { kind: 'fork', from: 'source', at: 'message' }],
  [
    'forked, with a conversation of its own',
    fork,
    ['s', 'source'],
    { kind: 'resume', transcript: '/transcripts/s' },
  ],
])('how the process of a session begins: %s', async (_, session, has, start) => {
  expect(await conversationStart(session, hub(has))).toEqual(start)
})

test('a conversation that another process has open is not resumed, but can be forked', async () => {
  await expect(conversationStart(started, hub(['s'], ['s']))).rejects.toMatchObject({
    code: 'in_use',
    message: expect.stringContaining('pid 4711') as string,
  })
  expect(await conversationStart(fork, hub(['source'], ['source']))).toMatchObject({ kind: 'fork' })
})
