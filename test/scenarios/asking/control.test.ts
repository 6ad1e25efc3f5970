import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { supervise } from '../../rig/hubs/supervised.ts'

const slow = { blocks: [{ type: 'text' as const, text: 'word '.repeat(3_000), chunkMs: 20 }] }
const write = (path: string) => tools(use('Write', { file_path: path, content: 'x' }))
const touch = tools(use('Bash', { command: 'touch x' }))

test('an interrupt ends the turn and keeps the process', async () => {
  const session = await supervise({ scenario: { main: [slow, say('still here')] } })
  await session.event('text.streamed')
  await session.control({ subtype: 'interrupt' })
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'interrupted' })
  await session.command({ say: 'again' })
  expect(await session.event('turn.ended', 2)).toMatchObject({ outcome: 'done', result: 'still here' })
})

test('an interrupt takes an open question back', async () => {
  const session = await supervise({ scenario: { main: [touch] } })
  const { requestId } = await session.event('approval.opened')
  await session.control({ subtype: 'interrupt' })
  await session.event('turn.ended')
  expect(session.all('request.cancelled')).toEqual([{ type: 'request.cancelled', requestId }])
  expect(session.pending()).toEqual([])
})

test('the mode can be changed in a live process', async () => {
  const session = await supervise({ scenario: { main: [say('hi'), write('a.txt'), say('done')] } })
  await session.event('turn.ended')
  await session.control({ subtype: 'set_permission_mode', mode: 'acceptEdits' })
  expect(await session.event('mode.changed')).toEqual({ type: 'mode.changed', mode: 'acceptEdits' })
  await session.command({ say: 'write it' })
  await session.event('turn.ended', 2)
  expect(session.all('approval.opened')).toEqual([])
  expect(session.all('tool.unasked')).toMatchObject([{ toolName: 'Write' }])
})

test('the model can be changed in a live process', async () => {
  const session = await supervise({ scenario: { main: [say('one'), say('two')] } })
  await session.event('turn.ended')
  await session.control({ subtype: 'set_model', model: 'claude-test-model' })
  await session.command({ say: 'go on' })
  await session.event('turn.ended', 2)
  const models = session.model.requests.filter(({ kind }) => kind === 'main').map(({ body }) => body.model)
  expect(models[1]).toBe('claude-test-model')
  expect(models[0]).not.toBe('claude-test-model')
})

test('a queued message can be withdrawn', async () => {
  const session = await supervise({ scenario: { main: [slow, say('never')] } })
  await session.event('text.streamed')
  const { promptId } = await session.say('later')
  const withdraw = { subtype: 'cancel_async_message', message_uuid: promptId } as const
  // The message goes the same way before it, so it is there to be withdrawn.
  expect(await session.control(withdraw)).toEqual({ cancelled: true })
  await session.control({ subtype: 'interrupt' })
  await session.event('turn.ended')
  await session.stop()
  expect(session.model.requests.filter(({ kind }) => kind === 'main')).toHaveLength(1)
})

test('the state of the MCP servers can be asked for, and a request that the CLI refuses says why', async () => {
  const session = await supervise({ scenario: { main: [say('hi')] } })
  await session.event('turn.ended')
  expect(await session.control({ subtype: 'mcp_status' })).toEqual({ mcpServers: [] })
  const refused = await session.control({ subtype: 'set_permission_mode', mode: 'bypassPermissions' })
  expect(refused).toEqual({
    refused: expect.stringMatching(/^Claude Code refused set_permission_mode: /) as string,
  })
})

test('a session ends when the control request asks for it', async () => {
  const session = await supervise({ scenario: { main: [say('hi')] } })
  await session.event('turn.ended')
  await session.control({ subtype: 'end_session', reason: 'over' })
  expect(await session.event('run.ended')).not.toHaveProperty('error')
})
