import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport, Server } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test } from 'vitest'
import { formAnswerer } from '../../../src/callers/form-answerer.ts'
import { formsOf } from '../../../src/transports/person/client-forms.ts'
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
