import { expect, test } from 'vitest'
import type { ControlRequest } from '../../../src/child/lines/stdin-messages.ts'
import { connectPermit } from '../../../src/child/process/permit-connection.ts'

/** A child that answers with these states, one after the other, and stays with the last. */
function child(...states: string[]) {
  const asked: ControlRequest['subtype'][] = []
  const send = async ({ subtype }: ControlRequest) => {
    asked.push(subtype)
    if (subtype === 'mcp_reconnect') throw new Error('refused')
    const status = states.length > 1 ? states.shift() : states[0]
    return {
      mcpServers: [{ name: 'other', status: 'connected' }, ...(status ? [{ name: 'plexus', status }] : [])],
    }
  }
  return { asked, send }
}
const { signal } = new AbortController()

test('a new child is waited for until it is connected, and is asked to connect again when it failed', async () => {
  const { asked, send } = child('pending', 'failed', 'connected')
  await connectPermit({ send, isUp: () => true, reconnect: false, signal })
  expect(asked).toEqual(['mcp_status', 'mcp_status', 'mcp_reconnect', 'mcp_status'])
})

test('a child of an earlier hub is asked to connect again, but not before we listen', async () => {
  const { asked, send } = child('connected')
  let looks = 0
  const isUp = () => ++looks > 2
  const sendWhenUp = (request: ControlRequest) => {
    expect(looks).toBeGreaterThan(2)
    return send(request)
  }
  await connectPermit({ send: sendWhenUp, isUp, reconnect: true, signal })
  expect(asked).toEqual(['mcp_status', 'mcp_reconnect', 'mcp_status'])
})

test.each([['pending'], ['failed'], ['']])(
  'one that stays %s is given up with a sentence',
  async (status) => {
    const { send } = child(status)
    const connecting = connectPermit({ send, isUp: () => true, reconnect: false, signal, timeoutMs: 120 })
    await expect(connecting).rejects.toMatchObject({
      code: 'cli_failed',
      message: expect.stringContaining('could not connect') as string,
    })
  },
)

test('an answer that does not come or makes no sense is asked for again', async () => {
  const answers = [
    new Error('late'),
    { odd: true },
    { mcpServers: [{ name: 'plexus', status: 'connected' }] },
  ]
  const send = async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  await connectPermit({ send, isUp: () => true, reconnect: false, signal })
  expect(answers).toEqual([])
})

test('it ends when the run does', async () => {
  const over = new AbortController()
  const { send } = child('pending')
  const connecting = connectPermit({ send, isUp: () => true, reconnect: false, signal: over.signal })
  over.abort()
  await expect(connecting).rejects.toThrow('abort')
})

const connectedAs = (scope: string) => async () => ({
  mcpServers: [{ name: 'plexus', status: 'connected', scope }],
})

test('a server of the same name that is not ours is never taken for it', async () => {
  const how = { isUp: () => true, reconnect: false, signal }
  const other = connectPermit({ ...how, send: connectedAs('enterprise') })
  await expect(other).rejects.toMatchObject({ code: 'forbidden' })
  await connectPermit({ ...how, send: connectedAs('dynamic') })
})
