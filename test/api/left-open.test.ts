/** A question that is left open does not end every further wait; a new one does, and nobody misses one. */
import { expect, test } from 'vitest'
import { CallMemory, CallerMemory, MemoryByCaller } from '../../src/api/operation/caller-memory.ts'
import { status } from '../../src/api/claude/status.ts'
import { wait } from '../../src/api/loopback/wait.ts'
import type { Context } from '../../src/api/operation/operation.ts'
import { StartOptions } from '../../src/child/launch/start-options.ts'
import { anApproval, aSession, aStep } from '../contracts/rows.ts'
import { type EngineRig, ME, startEngine } from '../rig/hubs/engines.ts'
import { pairedClient } from '../rig/clients/mcp-pair.ts'
import { asSessionId } from '../rig/tools/ids.ts'

const MODEL = { ...ME.caller, person: false }

/** A session asks, as if its process had. */
async function asks(rig: EngineRig, sessionId: string, id: string): Promise<void> {
  const { store, app } = rig.parts
  const before = await store.sessions.get(sessionId)
  const session = { ...(before ?? aSession({ id: sessionId })), status: 'waiting' as const }
  if (!before) await store.sessions.create(session)
  await store.journal.append({
    ...aStep(1),
    sessionId: asSessionId(sessionId),
    session,
    opened: [anApproval({ id, sessionId })],
  })
  app.supervisor.doorbells.ring(sessionId)
}

/** Calls as a client does, and says which questions it was given. */
function client(rig: EngineRig, family: 'claude' | 'loopback', known = new CallerMemory()) {
  return async (seconds: number, leftOpen?: string[]): Promise<string[]> => {
    const memory = new CallMemory(known.known)
    const context: Context = { engine: rig.as(MODEL), call: { caller: MODEL }, memory }
    const told =
      family === 'claude'
        ? await status.call(context, { waitSeconds: seconds, knownQuestions: leftOpen ?? null })
        : await wait.call(context, { wait_seconds: seconds, known_approvals: leftOpen ?? null })
    known.note(memory.changes)
    known.noteResult(memory.changes)
    return [...new Set(JSON.stringify(told).match(/\bq\d\b/g))]
  }
}

test.each(['claude', 'loopback'] as const)(
  'on a connection what was given ends no further wait, and is still listed (%s)',
  async (family) => {
    const rig = await startEngine('behind a socket')
    await asks(rig, 's1', 'q1')
    const [one, other] = [client(rig, family), client(rig, family)]
    expect(await one(50)).toEqual(['q1'])
    const waits = one(50)
    await expect.poll(() => rig.parts.hub?.underWay).toBe(1)
    // A client that never saw it, such as one that has connected again, is given it at once.
    expect(await other(50)).toEqual(['q1'])
    await asks(rig, 's2', 'q2')
    expect((await waits).toSorted()).toEqual(['q1', 'q2'])
    expect(await one(0.01)).toHaveLength(2)
  },
)

test.each(['claude', 'loopback'] as const)(
  'who has no connection is given it at once, unless they name it (%s)',
  async (family) => {
    const rig = await startEngine('behind a socket')
    await asks(rig, 's1', 'q1')
    const callers = new MemoryByCaller()
    const call = client(rig, family, callers.of('me'))
    expect(await call(50)).toEqual(['q1'])
    expect(await call(50)).toEqual(['q1'])
    const waits = call(50, ['q1'])
    await expect.poll(() => rig.parts.hub?.underWay).toBe(1)
    await asks(rig, 's1', 'q2')
    expect((await waits).toSorted()).toEqual(['q1', 'q2'])
  },
)

test('a question that was seen before it fell to the caller ends their wait when it does', async () => {
  const rig = await startEngine('here on memory')
  const { store, app } = rig.parts
  const top = aSession({ id: 'top', config: StartOptions.parse({ nested: true }), status: 'running' })
  await store.sessions.create(top)
  await store.sessions.create(aSession({ id: 'low', parentId: 'top', status: 'running' }))
  await asks(rig, 'low', 'q1')
  const known = new CallerMemory()
  const memory = new CallMemory(known.known)
  const context: Context = { engine: rig.engine, call: { caller: MODEL }, memory }
  expect(JSON.stringify(await status.call(context, { sessionId: 'low', waitSeconds: 0 }))).toContain('q1')
  known.note(memory.changes)
  known.noteResult(memory.changes)
  await store.journal.append({
    ...aStep(1),
    sessionId: asSessionId('top'),
    session: { ...top, status: 'done' },
  })
  app.supervisor.doorbells.ring('top')
  expect(await client(rig, 'claude', known)(50)).toEqual(['q1'])
})

test.each(['sdk 1', '2026'] as const)(
  'so it is for a client of MCP whose connection lasts (%s)',
  async (kind) => {
    const rig = await startEngine('behind a socket')
    await asks(rig, 's1', 'q1')
    const mcp = await pairedClient(kind, rig)
    const look = async () => JSON.stringify(await mcp.call('claude_status', { waitSeconds: 50 }))
    expect(await look()).toContain('it waits for what is new')
    const waits = look()
    await expect.poll(() => rig.parts.hub?.underWay).toBe(1)
    await asks(rig, 's2', 'q2')
    expect(await waits).toMatch(/q1.*q2|q2.*q1/)
  },
)
