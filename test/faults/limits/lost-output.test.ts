import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../../src/base/errors.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Sessions, startSessions } from '../../rig/hubs/sessions.ts'
import { fill, mountSmallDisk } from '../../rig/tools/small-disk.ts'

/** A scripted child: what the real CLI loses in a full disk depends on where the disk ends. */
const init = { line: { type: 'system', subtype: 'init', session_id: randomUUID() } }
const words = { line: { type: 'assistant', message: { content: [{ type: 'text', text: 'so far' }] } } }
const result = { type: 'result', subtype: 'success', is_error: false, result: 'fine' }
const aborted = { type: 'result', subtype: 'error_during_execution', is_error: true }
const half = '{"type":"control_request","request_id":"r1","requ'
const interrupted = { answer: '"interrupt"', with: {} }
const nextTurn = (prompt: string) => [{ echo: prompt }, init, { line: result }]

test('R7: half a line with nothing after it is reported as lost, the turn is interrupted, and the process continues', async () => {
  const script = [{ echo: 'go' }, init, { out: half }, interrupted, { line: aborted }, ...nextTurn('again')]
  const all = await startSessions({ store: 'memory', scenario: { main: [] }, script })
  const { id } = await all.start('go')
  expect(await all.settled(id)).toMatchObject({ status: 'failed', error: { code: 'cli_failed' } })
  expect(await all.event(id, 'line.unparsed')).toMatchObject({ text: half, bytes: half.length })
  await all.supervisor.say(id, 'again')
  expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 2 })
  expect((await all.events(id)).filter(({ type }) => type === 'run.started')).toHaveLength(1)
})

test('R7: a child that an interrupt does not bring to rest is ended, its turn fails, and the next one is as any', async () => {
  const lost = {
    'the end of its turn': [{ echo: 'go' }, init, { out: half }, interrupted],
    'the end of its turn, behind half a line': [
      { echo: 'go' },
      init,
      { out: `${half}${JSON.stringify(result)}\n` },
      interrupted,
    ],
    'the echo of its prompt': [{ await: '"go"' }, init, { out: half }, interrupted, { line: aborted }],
    'all it would say': [{ echo: 'go' }, init, { out: half }],
  }
  const endings = Object.entries(lost).map(async ([what, script]) => {
    const all = await startSessions({ store: 'memory', scenario: { main: [] }, script })
    const { id } = await all.start('go')
    return { what, ...(await endingOf(all, id)) }
  })
  expect(await Promise.all(endings)).toEqual(
    Object.keys(lost).map((what) => ({ what, first: endedByUs, second: usable })),
  )
})

test('R7: a hub that finds such a child ends it too', async () => {
  const script = [{ echo: 'go' }, init, { out: half }, interrupted]
  const all = await startSessions({ store: 'sqlite', scenario: { main: [] }, script })
  const { id } = await all.start('go')
  await all.event(id, 'line.unparsed')
  await all.crash()
  await all.open()
  expect(await endingOf(all, id)).toEqual({ first: endedByUs, second: usable })
})

const endedByUs = expect.objectContaining({
  status: 'failed',
  error: { code: 'cli_failed', message: expect.stringMatching(/was lost.* so it was ended\./) as string },
}) as unknown
const usable = expect.objectContaining({ status: 'done', turn: 2 }) as unknown

/** How the session stands after its turn, and after another one in the process that comes next. */
async function endingOf(all: Sessions, id: string): Promise<{ first: Session; second: Session }> {
  const first = await all.settled(id)
  await writeFile(join(all.folder, 'script.json'), JSON.stringify(nextTurn('again')))
  await all.supervisor.say(id, 'again')
  return { first, second: await all.settled(id) }
}

test('R7: one that was at work while the disk was full and says nothing after it is interrupted', async (context) => {
  const script = [{ echo: 'go' }, init, words, interrupted, { line: aborted }, ...nextTurn('again')]
  const prepareHome = async (home: string) => mountSmallDisk(context, home, 100)
  const all = await startSessions({ store: 'memory', scenario: { main: [] }, script, prepareHome })
  const { id } = await all.start('go')
  await all.event(id, 'text')
  const ballast = await fill(join(all.folder, 'home'))
  await eventually(() => expect(all.errors.map(codeOf)).toEqual(['storage_full']))
  expect(await all.get(id)).toMatchObject({ status: 'running' })
  await ballast.free()
  expect(await all.settled(id)).toMatchObject({ status: 'failed', error: { code: 'cli_failed' } })
  await all.supervisor.say(id, 'again')
  expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 2 })
})

function codeOf(error: unknown): unknown {
  return error instanceof AppError ? error.code : error
}
