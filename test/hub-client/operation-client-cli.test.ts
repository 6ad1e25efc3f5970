/** Calls of operations in a hub behind a socket, which may go away in the middle of them. */
import { expect, onTestFinished, test } from 'vitest'
import type { CallEvent, OperationCall } from '../../src/api/operation/operation-call.ts'
import { claimHeaders } from '../../src/callers/caller-claim.ts'
import { findHub } from '../rig/hubs/find-hub.ts'
import { HubConnection } from '../../src/hub-client/hub-connection.ts'
import { callOperation } from '../../src/hub-client/operation-client.ts'
import { TABLE, traitsOf } from '../../src/transports/mcp/tool-table.ts'
import { refusalOf } from '../contracts/refusal.ts'
import { aStep } from '../contracts/rows.ts'
import { MODEL } from '../rig/clients/mcp-pair.ts'
import { type EngineRig, ME, startEngine } from '../rig/hubs/engines.ts'
import { asSessionId } from '../rig/tools/ids.ts'

interface Called {
  readonly status?: string
  readonly sessionId?: string
  readonly id?: string
  readonly sessions?: readonly object[]
  readonly code?: string
  readonly message?: string
}

async function rigWithCalls() {
  const rig = await startEngine('behind a socket', { main: [{ hang: true }] })
  rig.parts.hub?.callers.set('mine', MODEL)
  let started = 0
  const connection = new HubConnection({
    find: () => findHub(rig.home, 'mine'),
    start: async () => {
      started++
      await rig.parts.hub?.open()
    },
  })
  onTestFinished(() => connection.close())
  const events: CallEvent[] = []
  const call = async (
    tool: string,
    given: object,
    {
      signal = new AbortController().signal,
      ...more
    }: Partial<OperationCall> & { signal?: AbortSignal } = {},
  ) => {
    const made = { tool, arguments: given, known: { sessions: [], questions: [] }, ...more }
    const options = {
      headers: claimHeaders(MODEL),
      signal,
      onEvent: (event: CallEvent) => events.push(event),
    }
    const { resultText, ...outcome } = await callOperation(connection, traitsOf(TABLE, tool), made, options)
    const { content } = JSON.parse(resultText) as { content: readonly { text: string }[] }
    return { ...outcome, result: JSON.parse(content[0]?.text ?? '') as Called }
  }
  return { rig, call, events, started: () => started }
}

async function become({ parts, engine }: EngineRig, sessionId: string, status: 'running' | 'done') {
  const session = { ...(await engine.getSession(ME, { sessionId })), status }
  await parts.store.journal.append({ ...aStep(1), sessionId: asSessionId(sessionId), session })
  parts.app.supervisor.doorbells.ring(sessionId)
}

test('a call has its result, and what is known afterwards', async () => {
  const { rig, call } = await rigWithCalls()
  const { id: sessionId } = await rig.create()
  await become(rig, sessionId, 'running')
  const looked = await call('claude_status', { sessionId, waitSeconds: 0 }, { observe: true })
  expect(looked.result).toMatchObject({ sessionId, status: 'active' })
  expect(looked.memory).toMatchObject({ working: [sessionId], ended: [] })
  expect(looked.looked).toEqual({ asked: [], waits: false, leftMs: 0 })
  await become(rig, sessionId, 'done')
  const ended = await call('claude_status', {}, { known: { sessions: [sessionId], questions: [] } })
  expect(ended.result.sessions).toMatchObject([{ sessionId }])
  expect(ended.memory).toMatchObject({ ended: [sessionId] })
})

test('what is wrong with a call is a result, and a tool that is none is an error', async () => {
  const { call } = await rigWithCalls()
  expect((await call('claude_status', { waitSeconds: -1 })).result).toMatchObject({ code: 'invalid_input' })
  expect(await refusalOf(call('loopback_permit', {}))).toMatchObject({ code: 'invalid_input' })
})

test('what only looks is asked again of the next hub', async () => {
  const { rig, call } = await rigWithCalls()
  const { hub } = rig.parts
  const arrived = hub?.holdNext()
  const listed = call('claude_list', {})
  await arrived
  await hub?.crash({ next: true })
  expect((await listed).result).toMatchObject({ sessions: [] })
})

test('what may have changed something is not, and says so', async () => {
  const { rig, call } = await rigWithCalls()
  const { hub } = rig.parts
  const arrived = hub?.holdNext()
  const start = { prompt: 'go', workingDirectory: rig.project, waitSeconds: 50 }
  const refused = refusalOf(call('claude_start', start))
  await arrived
  await hub?.crash({ next: true })
  expect(await refused).toMatchObject({
    code: 'busy',
    message: expect.stringContaining('check the session') as string,
  })
  expect(await rig.engine.listSessions(ME, {})).toEqual([])
})

test.each(['cuts it off', 'ends it before its time'])(
  'a start that waits continues with the next hub when its hub %s, and begins nothing a second time',
  async (how) => {
    const { rig, call, events } = await rigWithCalls()
    const { hub } = rig.parts
    const started = call('claude_start', { prompt: 'go', workingDirectory: rig.project, waitSeconds: 50 })
    await expect.poll(() => events, { timeout: 20_000 }).toMatchObject([{ type: 'begun' }])
    const [session] = await rig.engine.listSessions(ME, {})
    if (!session) throw new Error('Nothing was started.')
    rig.track(session)
    if (how === 'cuts it off') await hub?.crash()
    else hub?.endWaits()
    await expect.poll(() => hub?.underWay).toBe(0)
    if (how === 'cuts it off') await hub?.open()
    await expect.poll(() => hub?.underWay).toBe(1)
    await rig.engine.interrupt(ME, { sessionId: session.id })
    expect((await started).result).toMatchObject({ sessionId: session.id, status: 'interrupted' })
    expect(await rig.engine.listSessions(ME, {})).toHaveLength(1)
  },
  60_000,
)

test('a chat continues with the next hub until its turn is over', async () => {
  const { rig, call, events } = await rigWithCalls()
  const { hub } = rig.parts
  const { result } = await call('claudecode_create', { working_dir: rig.project })
  const { id = '' } = result
  rig.track(await rig.engine.getSession(ME, { sessionId: id }))
  const chat = call('claudecode_chat', { session_id: id, prompt: 'go' })
  await expect.poll(() => events, { timeout: 20_000 }).toMatchObject([{ type: 'begun', sessionId: id }])
  await hub?.crash()
  await hub?.open()
  await expect.poll(() => hub?.underWay).toBe(1)
  await rig.engine.interrupt(ME, { sessionId: id })
  expect((await chat).result).toMatchObject({ type: 'ok', session_id: id, turn: 1 })
  expect(await rig.engine.listTurns(ME, { sessionId: id })).toHaveLength(1)
}, 60_000)

test('a wait that is ended here ends in the hub too', async () => {
  const { rig, call } = await rigWithCalls()
  const { id: sessionId } = await rig.create()
  await become(rig, sessionId, 'running')
  const enough = new AbortController()
  const wait = call('claude_status', { sessionId, waitSeconds: 50 }, { signal: enough.signal })
  await expect.poll(() => rig.parts.hub?.underWay).toBe(1)
  enough.abort()
  await expect(wait).rejects.toThrow('aborted')
  await expect.poll(() => rig.parts.hub?.underWay).toBe(0)
})

test('a hub is started where there is none, and another token is taken where the first counts no more', async () => {
  const { rig, call, started } = await rigWithCalls()
  const { hub } = rig.parts
  await hub?.close()
  expect((await call('claude_list', {})).result).toMatchObject({ sessions: [] })
  expect(started()).toBe(1)
  hub?.callers.delete('mine')
  expect(await refusalOf(call('claude_list', {}))).toMatchObject({ code: 'forbidden' })
  hub?.callers.set('mine', MODEL)
  expect((await call('claude_list', {})).result).toMatchObject({ sessions: [] })
})
