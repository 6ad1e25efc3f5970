import { Client } from '@modelcontextprotocol/client'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  InMemoryTransport,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { formAnswerer } from '../../../src/callers/form-answerer.ts'
import { formsOf, lastingFormsOf } from '../../../src/transports/person/client-forms.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

/** What a server finds out of a client of an older protocol that says it can do this. */
async function formsAt(capabilities: object, caller = MODEL) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = new Server({ name: 'test', version: '0' }, { capabilities: { tools: {} } })
  const client = new Client(
    { name: 'an editor', version: '0' },
    { capabilities, versionNegotiation: { mode: 'legacy' } },
  )
  let found: ReturnType<typeof formsOf>
  server.setRequestHandler('tools/list', (_, { mcpReq }) => {
    found = formsOf(server, mcpReq, caller)
    return { tools: [] }
  })
  await Promise.all([server.connect(far), client.connect(near)])
  onTestFinished(() => client.close())
  await client.listTools()
  return found
}

test.each([
  ['none', {}, false],
  ['any, which once meant forms', { elicitation: {} }, true],
  ['forms', { elicitation: { form: {} } }, true],
  ['pages only', { elicitation: { url: {} } }, false],
])('a client that can ask %s takes forms: %s', async (_, capabilities, takes) => {
  const way = takes ? { way: 'push', client: 'an editor' } : undefined
  expect(await formsAt(capabilities)).toEqual(way)
})

test('S17: a session is given no form, whatever its client says', async () => {
  const session = { ...MODEL, kind: 'session' as const, scopes: ['nested'] }
  expect(await formsAt({ elicitation: {} }, session)).toBeUndefined()
})

describe('in the newest protocol each request says what its client takes', () => {
  const server = new Server({ name: 'test', version: '0' }, { capabilities: {} })
  const formsIn = (envelope: object) =>
    formsOf(server, { envelope } as unknown as ServerContext['mcpReq'], MODEL)

  test.each([
    [{ elicitation: {} }, { name: 'an editor' }, { way: 'retry', client: 'an editor' }],
    [{ elicitation: { form: {} } }, undefined, { way: 'retry', client: 'a client' }],
    [{ elicitation: { url: {} } }, { name: 'an editor' }, undefined],
    [{}, { name: 'an editor' }, undefined],
    ['forms', { name: 'an editor' }, undefined],
    [{ elicitation: {} }, {}, undefined],
  ])('with the capabilities %j of %j: %j', (capabilities, info, forms) => {
    const envelope = { [CLIENT_CAPABILITIES_META_KEY]: capabilities, [CLIENT_INFO_META_KEY]: info }
    expect(formsIn(envelope)).toEqual(forms)
  })

  test('and a request that says nothing is of a client that has not said anything', () => {
    expect(formsIn({})).toBeUndefined()
  })
})

const lastingAt = (name: { name: string } | undefined, kind: 'client' | 'session') => {
  const server = { getClientCapabilities: () => ({ elicitation: {} }), getClientVersion: () => name }
  return lastingFormsOf(server as unknown as Server, { ...MODEL, kind })
}

test('outside of a request a child is given no form either, and a client without a name has one', () => {
  expect(lastingAt({ name: 'an editor' }, 'client')).toEqual({ way: 'push', client: 'an editor' })
  expect(lastingAt(undefined, 'client')).toEqual({ way: 'push', client: 'a client' })
  expect(lastingAt({ name: 'an editor' }, 'session')).toBeUndefined()
})

test('S10: who decides is named by the client as it can be seen', () => {
  const client = { ...MODEL, id: asCallerId('client other'), kind: 'client' as const, name: 'other' }
  expect(formAnswerer(MODEL, 'an \u202eeditor', true)).toMatchObject({
    id: MODEL.id,
    person: true,
    via: 'form',
    name: 'a person at an \\u{202e}editor',
  })
  expect(formAnswerer(client, 'x'.repeat(100), false)).toMatchObject({
    person: false,
    name: `form at ${'x'.repeat(60)}, no person known (other)`,
  })
})
