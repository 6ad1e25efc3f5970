import { expect, test } from 'vitest'
import { respond } from '../../../src/api/claude/respond.ts'
import { start } from '../../../src/api/claude/start.ts'
import { toolNameOf } from '../../../src/api/operation/operation.ts'
import { runOperation } from '../../../src/transports/operation/run-operation.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'
import { startEngine } from '../../rig/hubs/engines.ts'

const known = { sessions: [], questions: [] }

test('R31: a call that is made again begins nothing a second time', async () => {
  const rig = await startEngine('here on sqlite', { main: [{ hang: true }] })
  const again = async (operation: typeof start, sessionId: string | undefined, given: object) => {
    const parts = { engine: rig.as(MODEL), onError: () => {}, onRefused: () => {} }
    const call = { tool: toolNameOf(operation), arguments: given, known, again: { sessionId } }
    const { signal } = new AbortController()
    const { result } = await runOperation(parts, operation, call, { caller: MODEL, signal })
    return JSON.parse(result.content[0]?.text ?? '') as unknown
  }
  const sessionId = await rig.start('go')
  const given = { prompt: 'go', workingDirectory: rig.project }
  expect(await again(start, sessionId, given)).toMatchObject({ sessionId, status: 'active' })
  expect(await again(start, undefined, given)).toMatchObject({
    code: 'busy',
    message: expect.stringContaining('claude_list') as unknown,
  })
  expect(await again(start, sessionId, {})).toMatchObject({
    code: 'busy',
    message: expect.stringContaining(`${sessionId} has begun`) as unknown,
  })
  expect(await again(respond, undefined, {})).toMatchObject({ code: 'busy' })
  expect(await rig.engine.listSessions({ caller: MODEL }, { limit: 9 })).toHaveLength(1)
})
