/** Forms at clients of HTTP whose messages each stand alone, without a process: a session waits. */
import { expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { createSigner } from '../../../src/text/signed-text.ts'
import type { WebHandler } from '../../../src/transports/http/web-request.ts'
import { mcpHandler } from '../../../src/transports/mcp-http/mcp-http.ts'
import { aFamily, CHILD, QUESTION } from '../../rig/clients/family.ts'
import { type Person, webClient } from '../../rig/clients/mcp-clients.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'
import { ALLOW, answering } from '../../rig/clients/people.ts'

const LOOK = { sessionId: CHILD, waitSeconds: 0.1 }

async function aHub() {
  const { app, store } = await aFamily()
  let time = 0
  const hub = (): WebHandler => {
    const handle = mcpHandler(app.engine, { signer: createSigner('the key of this home'), now: () => time })
    return (request) => handle(request, MODEL)
  }
  const taking = (ms: number, person: Person): Person => {
    return (form, signal) => {
      time += ms
      return person(form, signal)
    }
  }
  return { hub, taking, approval: () => store.approvals.get(QUESTION) }
}

test('S41: over HTTP too a decline within a second ends the forms of a client until it connects anew', async () => {
  const { hub, taking, approval } = await aHub()
  const { person, shown } = answering({ action: 'decline' }, ALLOW)
  const handler = hub()
  const connect = () => webClient('2026', handler, { person: taking(300, person), query: '?ask=both' })
  const client = await connect()
  for (let n = 0; n < 2; n++)
    expect(await client.call('claude_status', LOOK)).toMatchObject({ status: 'awaiting_input' })
  expect(shown).toHaveLength(1)
  await (await connect()).call('claude_status', LOOK)
  expect(shown).toHaveLength(2)
  expect(await approval()).toMatchObject({ status: 'allowed', level: 'owner' })
})

test('S41: a form that one hub has put is answered at the next, which knows when that was', async () => {
  const { hub, taking, approval } = await aHub()
  let handler = hub()
  const person = taking(5_000, () => {
    handler = hub()
    return ALLOW
  })
  const client = await webClient('2026', (request) => handler(request), { person, query: '?ask=both' })
  await client.call<StatusView>('claude_status', LOOK)
  expect(await approval()).toMatchObject({ status: 'allowed', by: 'a person at test', level: 'person' })
})

test('?ask= of another name is refused, and the field is named', async () => {
  const { hub } = await aHub()
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
  const request = new Request('http://127.0.0.1/mcp?ask=me', { method: 'POST', headers, body: '{}' })
  const response = await hub()(request)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    error: { code: 'invalid_input', message: 'ask must be model, person or both.', field: 'ask' },
  })
})
