import { expect, test } from 'vitest'
import { createSigner } from '../../../src/text/signed-text.ts'
import { cutCallIn, eventIdOf, toolCallIn } from '../../../src/transports/mcp/resumable-call.ts'

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
