import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport, Server } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test } from 'vitest'
import { lastingPersonAt } from '../../src/transports/client-person.ts'
import { MODEL } from '../rig/mcp-pair.ts'

/** A server whose client says that it can do this. */
async function serverOf(capabilities: object): Promise<Server> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = new Server({ name: 'test', version: '0' }, { capabilities: {} })
  const client = new Client(
    { name: 'an \u202eeditor', version: '0' },
    { capabilities, versionNegotiation: { mode: 'legacy' } },
  )
  await Promise.all([server.connect(far), client.connect(near)])
  onTestFinished(() => client.close())
  return server
}

test.each([
  ['none', {}, false],
  ['any, which once meant forms', { elicitation: {} }, true],
  ['forms', { elicitation: { form: {} } }, true],
  ['pages only', { elicitation: { url: {} } }, false],
])('a client that can ask %s has a person: %s', async (_, capabilities, has) => {
  expect(lastingPersonAt(await serverOf(capabilities), MODEL) !== undefined).toBe(has)
})

test('S10: who decides is a person, by the name of the client as it can be seen', async () => {
  const server = await serverOf({ elicitation: {} })
  const client = { ...MODEL, id: 'client other', kind: 'client' as const, name: 'other' }
  expect(lastingPersonAt(server, MODEL)?.identity).toMatchObject({
    id: MODEL.id,
    person: true,
    name: 'a person at an \\u{202e}editor',
  })
  expect(lastingPersonAt(server, client)?.identity.name).toContain('(other)')
})

test('S17: a session has no person, whatever its client says', async () => {
  const session = { ...MODEL, kind: 'session' as const, scopes: ['nested'] }
  expect(lastingPersonAt(await serverOf({ elicitation: {} }), session)).toBeUndefined()
})
