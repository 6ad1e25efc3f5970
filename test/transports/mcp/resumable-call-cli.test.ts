import { expect, test } from 'vitest'
import { start } from '../../../src/api/claude/start.ts'
import { respond } from '../../../src/api/claude/respond.ts'
import { createSigner } from '../../../src/text/signed-text.ts'
import { cutCallIn, eventIdOf, resumably, toolCallIn } from '../../../src/transports/mcp/resumable-call.ts'
import { startEngine } from '../../rig/hubs/engines.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'

const signer = createSigner('a key')
const call = (given: object) => {
  const message = toolCallIn({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: {
      name: 'claude_start',
      arguments: given,
      _meta: { progressToken: 7, other: 'x'.repeat(10_000) },
    },
  })
  if (!message) throw new Error('This is a call.')
  return message
}

test('an event id says which call it is of, is short, and is read by the same connection only', () => {
  const given = {
    prompt: 'x'.repeat(1_000_000),
    waitSeconds: 50,
    agents: { a: 'y'.repeat(300), b: ['z'.repeat(500)] },
  }
  const id = eventIdOf(signer, { connection: 'c', message: call(given), sessionId: 's' })
  expect(id.length).toBeLessThan(3_000)
  const cut = cutCallIn(signer, id, 'c')
  const params = { name: 'claude_start', _meta: { progressToken: 7 } }
  expect(cut).toMatchObject({ sessionId: 's', message: { id: 7, params } })
  expect(cut?.message.params.arguments).toMatchObject({ waitSeconds: 50, prompt: 'x'.repeat(150) })
  expect(cutCallIn(signer, id, 'd')).toBeUndefined()
  expect(cutCallIn(createSigner('another'), id, 'c')).toBeUndefined()
  expect(cutCallIn(signer, signer.sign('connection', { connection: 'c' }), 'c')).toBeUndefined()
})

test('R31: a call that is gone on with begins nothing a second time', async () => {
  const rig = await startEngine('here on sqlite', { main: [{ hang: true }] })
  const goneOn = async (operation: typeof start, sessionId: string | undefined, given: object) => {
    const lasting = { goesOn: true, sessionId, begun: () => {} }
    const { operation: again, engine } = resumably(operation, rig.as(MODEL), lasting)
    return again.call({ engine, who: { caller: MODEL } }, given).catch((error: unknown) => error)
  }
  const sessionId = await rig.start('go')
  const given = { prompt: 'go', workingDirectory: rig.project }
  expect(await goneOn(start, sessionId, given)).toMatchObject({ sessionId, status: 'active' })
  expect(await goneOn(start, undefined, given)).toMatchObject({
    code: 'busy',
    message: expect.stringContaining('claude_list') as unknown,
  })
  expect(await goneOn(start, sessionId, {})).toMatchObject({
    code: 'busy',
    message: expect.stringContaining(`${sessionId} has begun`) as unknown,
  })
  expect(await goneOn(respond, undefined, {})).toMatchObject({ code: 'busy' })
  expect(await rig.engine.listSessions({ caller: MODEL }, { limit: 9 })).toHaveLength(1)
})
