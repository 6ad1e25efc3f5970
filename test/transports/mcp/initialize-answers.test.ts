import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { TOOLSETS } from '../../../src/api/operations.ts'
import {
  askServer,
  initialize,
  LIST_TOOLS,
  makeMcpTable,
} from '../../../src/transports/mcp/make-tool-table.ts'
import { InitializeAnswers } from '../../../src/transports/mcp/initialize-answers.ts'
import { TABLE } from '../../../src/transports/mcp/tool-table.ts'

const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }
const PING = { jsonrpc: '2.0', id: 'ping', method: 'ping' }

test('the table is what the server says of itself (else: npm run tables)', async () => {
  expect(TABLE).toEqual(await makeMcpTable())
})

describe.each(TOOLSETS)('with the tools %s', (toolset) => {
  test.each([...SUPPORTED_PROTOCOL_VERSIONS, '2019-01-01', '2026-07-28', '2030-01-01', ''])(
    'a client of version %j is answered as the server itself would',
    async (version) => {
      const requests = [initialize(version), INITIALIZED, PING, LIST_TOOLS]
      const front = new InitializeAnswers(TABLE, toolset)
      const byHeart = requests.map((request) => front.answer(request))
      expect(byHeart.map((one) => one?.opening)).toEqual([true, true, false, false])
      expect(byHeart.flatMap((one) => one?.answer ?? [])).toEqual(await askServer(toolset, requests))
    },
  )
})

describe('is left to the server', () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '0' } }
  const opening = (more: object) => ({ ...initialize(''), params: { ...params, ...more } })
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', [initialize('2025-11-25')]],
    ['another version of JSON-RPC', { ...initialize('2025-11-25'), jsonrpc: '1.0' }],
    ['an id that is none', { ...initialize('2025-11-25'), id: null }],
    ['parameters that are none', { ...initialize('2025-11-25'), params: [] }],
    ['an opening without a version', opening({ protocolVersion: undefined })],
    ['an opening without capabilities', opening({ capabilities: undefined })],
    ['an opening of nobody', opening({ clientInfo: { name: 'x' } })],
    [
      'an opening of the newer era',
      opening({ _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
    ],
    ['a question before the opening', LIST_TOOLS],
    ['a ping before the opening', PING],
    ['a word of thanks before the opening', INITIALIZED],
    [
      'an opening of the newer era that asks for progress',
      opening({ _meta: { progressToken: 1, 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
    ],
    ['another method with the fields of an opening', { ...opening({}), method: 'server/discover' }],
    ['another way to open', { jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} }],
  ])('%s', (_, message) => {
    expect(new InitializeAnswers(TABLE, 'all').answer(message)).toBeUndefined()
  })

  test.each([
    ['a second opening', initialize('2025-11-25')],
    ['a page of tools', { ...LIST_TOOLS, params: { cursor: 'x' } }],
    ['a call', { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'claude_list' } }],
    ['another notification', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['an answer', { jsonrpc: '2.0', id: 7, result: {} }],
  ])('%s, once it is open', (_, message) => {
    const front = new InitializeAnswers(TABLE, 'all')
    front.answer(initialize('2025-11-25'))
    expect(front.answer(message)).toBeUndefined()
  })
})

test('the client is known by its name and what it can ask its person, once it has opened', () => {
  const front = new InitializeAnswers(TABLE, 'claude')
  expect(front.client).toBeUndefined()
  const clientInfo = { name: 'editor', version: '0' }
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: { form: {} } }, clientInfo }
  front.answer({ ...initialize('2025-11-25'), params })
  expect(front.client).toEqual({ name: 'editor', elicitation: { form: {} } })
})

test('who asks for progress gets the same tools', () => {
  const front = new InitializeAnswers(TABLE, 'claude')
  front.answer(initialize('2025-11-25'))
  const asked = { ...LIST_TOOLS, params: { _meta: { progressToken: 1 } } }
  expect(front.answer(asked)).toEqual(front.answer(LIST_TOOLS))
})
