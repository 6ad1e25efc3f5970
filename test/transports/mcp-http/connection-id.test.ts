import { describe, expect, test } from 'vitest'
import { createSigner } from '../../../src/text/signed-text.ts'
import {
  connectionId,
  openingFrom,
  openingMessages,
  parseConnectionId,
} from '../../../src/transports/mcp-http/connection-id.ts'
import { INITIALIZE } from '../../rig/clients/mcp-requests.ts'

const initialize = (params: object) => ({ ...INITIALIZE, params: { ...INITIALIZE.params, ...params } })
const opened = (params: object) => openingFrom(initialize(params), 'operator')

describe('the opening of a connection', () => {
  test('has the caller, the protocol and the client, and a key of its own', () => {
    const [first, second] = [opened({}), opened({})]
    expect(first).toEqual({
      key: expect.any(String) as unknown,
      callerId: 'operator',
      protocolVersion: '2025-11-25',
      client: { name: 'test', version: '0' },
    })
    expect(first?.key).not.toBe(second?.key)
  })

  test.each([
    ['nothing', undefined],
    ['another method', { ...INITIALIZE, method: 'ping' }],
    ['a notification', { ...INITIALIZE, id: undefined }],
    ['no params', { ...INITIALIZE, params: {} }],
    ['no capabilities', initialize({ capabilities: undefined })],
    ['capabilities of another kind', initialize({ capabilities: { elicitation: true } })],
    ['a client without a name', initialize({ clientInfo: { version: '0' } })],
    ['a client without a version', initialize({ clientInfo: { name: 'test' } })],
    ['no protocol', initialize({ protocolVersion: undefined })],
    ['a long protocol', initialize({ protocolVersion: '2'.repeat(41) })],
  ])('is not in %s', (_, message) => {
    expect(openingFrom(message, 'operator')).toBeUndefined()
  })

  test('keeps of long names what fits into a header', () => {
    const name = 'n'.repeat(101)
    expect(opened({ clientInfo: { name, version: name }, protocolVersion: '2'.repeat(40) })).toMatchObject({
      client: { name: 'n'.repeat(100), version: 'n'.repeat(100) },
      protocolVersion: '2'.repeat(40),
    })
  })

  test.each([
    [{}, undefined],
    [{ elicitation: {} }, []],
    [{ elicitation: { form: {} } }, ['form']],
    [{ elicitation: { url: {}, form: {}, voice: {} } }, ['form', 'url']],
  ])('knows from %j how the client can ask its person: %j', (capabilities, modes) => {
    expect(opened({ capabilities })?.elicitation).toEqual(modes)
  })
})

describe('the id of a connection', () => {
  const signer = createSigner('key')

  test.each([[undefined], [{}], [{ form: {} }], [{ form: {}, url: {} }]])(
    'restores the messages of a client with the elicitation %j',
    (elicitation) => {
      const capabilities = elicitation ? { elicitation } : {}
      const opening = opened({ capabilities })
      if (!opening) throw new Error('It opens nothing.')
      const restored = parseConnectionId(signer, connectionId(signer, opening))
      expect(restored).toEqual(opening)
      expect(openingMessages(restored ?? opening)).toEqual([
        { ...INITIALIZE, id: 0, params: { ...INITIALIZE.params, capabilities } },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
      ])
    },
  )

  test('is of no use with another key, for another purpose, or when it holds something else', () => {
    const opening = opened({})
    if (!opening) throw new Error('It opens nothing.')
    expect(parseConnectionId(createSigner('other'), connectionId(signer, opening))).toBeUndefined()
    expect(parseConnectionId(signer, signer.sign('event', opening))).toBeUndefined()
    for (const field of ['key', 'callerId', 'protocolVersion', 'client'])
      expect(
        parseConnectionId(signer, signer.sign('connection', { ...opening, [field]: undefined })),
      ).toBeUndefined()
    const voice = { ...opening, elicitation: ['voice'] }
    expect(parseConnectionId(signer, signer.sign('connection', voice))).toBeUndefined()
    const nameless = { ...opening, client: {} }
    expect(parseConnectionId(signer, signer.sign('connection', nameless))).toBeUndefined()
  })
})
