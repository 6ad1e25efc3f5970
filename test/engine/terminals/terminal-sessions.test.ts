import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { busySessions } from '../../../src/hub/idle-exit.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { paperTerminals } from '../../rig/terminals/paper-terminals.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { heldTimers } from '../../rig/tools/held-timers.ts'

/** So often all is read again: a terminal that is killed changes no file. */
const SLOW_MS = 2_000

const me = { caller: CALLERS.operator }

test('a CLI in a terminal is a session: it works, waits and is idle as it says itself', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal({ name: 'project-1f' })
  const idle = await place.session(terminal.sessionId, ({ status }) => status === 'idle')
  expect(idle).toMatchObject({
    name: 'project-1f',
    terminal: true,
    owner: 'operator',
    workingDirectory: join(place.folder, 'project'),
    outside: { to: 'terminal', found: true, pid: terminal.pid },
  })
  await terminal.says({ status: 'busy' })
  await place.session(terminal.sessionId, ({ status }) => status === 'running')
  await terminal.waits()
  await place.session(terminal.sessionId, ({ status }) => status === 'waiting')
  expect(await place.pending()).toEqual([])
  await terminal.says({ status: 'shell' })
  await place.session(terminal.sessionId, ({ status }) => status === 'idle')
  expect(place.errors).toEqual([])
})

test('nothing can be done to it from here, and it can be continued here when it has ended', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal()
  const { id: sessionId } = await place.session(terminal.sessionId, () => true)
  const { engine } = place.app
  for (const call of [
    () => engine.startTurn(me, { sessionId, content: 'hello' }),
    () => engine.interrupt(me, { sessionId }),
    () => engine.stopSession(me, { sessionId }),
    () => engine.deleteSession(me, { sessionId }),
    () => engine.handOver(me, { sessionId, to: 'terminal', pid: process.pid }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'in_use' })
  await terminal.asksWaiting()
  await place.theQuestion()
  await terminal.ends({ cleanly: true })
  const over = await place.session(sessionId, ({ outside }) => outside === undefined)
  expect(over).toMatchObject({ terminal: true, stopped: true, status: 'done' })
  await engine.handOver(me, { sessionId, to: 'terminal', pid: process.pid })
})

test('a terminal that ended without a question is forgotten; one that asked is kept', async () => {
  const pass = heldTimers()
  const place = await paperTerminals()
  const [silent, asking] = [await place.terminal(), await place.terminal()]
  await place.session(silent.sessionId, () => true)
  const { reply } = await asking.asksWaiting()
  await place.theQuestion()
  for (const terminal of [silent, asking]) await terminal.ends()
  await pass(SLOW_MS)
  await reply
  await eventually(async () => expect(await place.store.sessions.get(silent.sessionId)).toBe(undefined))
  await place.session(asking.sessionId, ({ stopped }) => stopped === true)
  const rows = await place.app.engine.listRecord(me, {})
  expect(rows.map(({ kind }) => kind)).not.toContain('session-started')
})

test('what ended while there was no hub is over when the next begins', async () => {
  const place = await paperTerminals()
  const [silent, asking] = [await place.terminal(), await place.terminal()]
  await asking.asksWaiting()
  const asked = await place.theQuestion()
  await place.session(silent.sessionId, () => true)
  await place.close()
  for (const terminal of [silent, asking]) await terminal.ends()
  await place.open()
  await place.session(asking.sessionId, ({ outside }) => outside === undefined)
  expect(await place.app.engine.getApproval(me, { approvalId: asked.id })).toMatchObject({
    status: 'withdrawn',
  })
  await eventually(async () => expect(await place.store.sessions.get(silent.sessionId)).toBe(undefined))
})

test('after /clear the terminal has another conversation', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal()
  const { reply } = await terminal.asksWaiting()
  await place.theQuestion()
  const before = terminal.sessionId
  await terminal.says({ sessionId: '00000000-0000-4000-8000-0000000000cc', status: 'idle' })
  expect(await reply).toEqual({})
  await place.session(terminal.sessionId, ({ outside }) => outside?.pid === terminal.pid)
  await place.session(before, ({ outside }) => outside === undefined)
})

test('a session of ours that a person opens in a terminal is in that terminal, and ours again afterwards', async () => {
  const pass = heldTimers()
  const place = await paperTerminals()
  const project = join(place.folder, 'project')
  const options = StartOptions.parse({ workingDirectory: project, name: 'web' })
  const { id } = await place.app.engine.createSession(me, { options })
  const terminal = await place.terminal({ sessionId: id, status: 'busy' })
  const there = await place.session(id, ({ outside }) => outside?.pid === terminal.pid)
  expect(there).toMatchObject({ name: 'web', status: 'running' })
  await terminal.ends()
  await pass(SLOW_MS)
  const back = await place.session(id, ({ outside }) => outside === undefined)
  expect(back).toMatchObject({ name: 'web' })
  // Terminals are forgotten in turn: once this one is, the one before would be too.
  const silent = await place.terminal()
  await place.session(silent.sessionId, () => true)
  await silent.ends()
  await pass(SLOW_MS)
  await eventually(async () => expect(await place.store.sessions.get(silent.sessionId)).toBe(undefined))
  expect(await place.store.sessions.get(id)).toMatchObject({ name: 'web' })
})

test('files that are half written, strange or of dead processes change nothing', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal({ status: 'busy' })
  await place.session(terminal.sessionId, ({ status }) => status === 'running')
  const folder = join(place.folder, 'config', 'sessions')
  await writeFile(join(folder, `${terminal.pid}.json`), '{"pid":')
  await writeFile(join(folder, '999999.json'), JSON.stringify({ pid: 999_999, sessionId: 'x' }))
  await writeFile(join(folder, 'x.key'), 'secret')
  await mkdir(join(folder, 'folder.json'))
  const other = await place.terminal()
  await place.session(other.sessionId, () => true)
  expect(await place.store.sessions.list({ limit: 10 })).toHaveLength(2)
  await place.session(terminal.sessionId, ({ outside }) => outside?.pid === terminal.pid)
})

test('R44: a hub stays for an open question of a terminal, and not for a terminal that works', async () => {
  const place = await paperTerminals()
  const terminal = await place.terminal({ status: 'busy' })
  await place.session(terminal.sessionId, ({ status }) => status === 'running')
  expect(await busySessions(place.store)).toBe(0)
  const { reply } = await terminal.asksWaiting()
  const { id: approvalId } = await place.theQuestion()
  expect(await busySessions(place.store)).toBe(1)
  await place.app.engine.answer(me, { approvalId, approve: true })
  await reply
  expect(await busySessions(place.store)).toBe(0)
})
