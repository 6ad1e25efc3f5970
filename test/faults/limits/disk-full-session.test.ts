import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { AppError } from '../../../src/base/errors.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { refusalOf } from '../../contracts/refusal.ts'
import { transcriptPathOf } from '../../../src/transcripts/transcript-path.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Sessions, startSessions, stores } from '../../rig/hubs/sessions.ts'
import { fill, mountSmallDisk } from '../../rig/tools/small-disk.ts'

const append = tools(use('Bash', { command: 'echo x >> ran' }))
const onSmallDisk = (context: TestContext) => async (home: string) => mountSmallDisk(context, home, 100)
const homeOf = (all: Sessions) => join(all.folder, 'home')

test('R7: no turn begins with less than 64 MB, and nothing of it is on record', async (context) => {
  const scenario = { main: [say('one'), say('two')] }
  const all = await startSessions({ store: 'sqlite', scenario, prepareHome: onSmallDisk(context) })
  const { id } = await all.start('go')
  const { lastSeq } = await all.settled(id)
  const ballast = await fill(homeOf(all), 50)
  const refusal = await refusalOf(all.supervisor.say(id, 'again'))
  expect(refusal.code).toBe('storage_full')
  expect(refusal.message).toMatch(/64 MB .*PLEXUS_HOME/)
  expect(await all.get(id)).toMatchObject({ status: 'done', turn: 1, lastSeq })
  await ballast.free()
  await all.supervisor.say(id, 'again')
  expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 2 })
})

for (const store of stores) {
  test(`R7: on ${store} a question outlives a full disk, and its answer arrives once when there is space`, async (context) => {
    const scenario = { main: [append, say('done')] }
    const all = await startSessions({ store, scenario, prepareHome: onSmallDisk(context) })
    const { id } = await all.start('go')
    const asked = await all.event(id, 'approval.opened')
    const ballast = await fill(homeOf(all))
    // Either it is on record and the child hears of it later, or it is not and nothing has happened.
    const answered = await all.allow(id, asked).then(() => true, isFull)
    const { status = '' } = (await all.store.approvals.get(asked.approvalId)) ?? {}
    expect(status).toBe(answered ? 'allowed' : 'pending')
    await ballast.free()
    if (!answered) await all.allow(id, asked)
    expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 1 })
    expect(await readFile(join(all.project, 'ran'), 'utf8')).toBe('x\n')
    expect(all.errors).toEqual([])
  })
}

function isFull(error: unknown): false {
  if (error instanceof AppError && error.code === 'storage_full') return false
  throw error
}

const words = { blocks: [{ type: 'text' as const, text: 'word '.repeat(600), chunkMs: 10 }] }

test('R7: what the CLI says into a full disk breaks a turn at most, and the session is usable after it', async (context) => {
  const all = await speaking(context)
  const { id } = await all.start('go')
  await all.event(id, 'text.streamed')
  const ballast = await fill(homeOf(all))
  const { runId } = await all.event(id, 'run.started')
  const size = async () => (await readFile(join(homeOf(all), 'runs', runId, 'stdout'))).length
  let last = -1
  await eventually(async () => {
    const now = await size()
    const same = now === last
    last = now
    expect(same).toBe(true)
  })
  await ballast.free()
  await expectUsable(all, id)
})

test('R7: nobody waits for the end of a turn that the CLI wrote into a full disk', async (context) => {
  const all = await speaking(context)
  const { id } = await all.start('go')
  await all.event(id, 'text.streamed')
  const ballast = await fill(homeOf(all))
  // The CLI keeps the conversation elsewhere, and there the answer stands when all of it was said.
  await eventually(async () => expect(await transcriptOf(all, id)).toContain('"type":"assistant"'))
  await ballast.free()
  await expectUsable(all, id)
})

async function speaking(context: TestContext): Promise<Sessions> {
  const scenario = { main: [words, say('usable')] }
  return startSessions({ store: 'sqlite', scenario, prepareHome: onSmallDisk(context) })
}

async function transcriptOf(all: Sessions, id: string): Promise<string> {
  const path = await transcriptPathOf(join(all.folder, 'config'), id)
  return path === undefined ? '' : readFile(path, 'utf8')
}

async function expectUsable(all: Sessions, id: string): Promise<void> {
  const { status } = await all.settled(id)
  expect(status).toMatch(/failed|done/)
  await all.supervisor.say(id, 'again')
  expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 2 })
  expect((await all.events(id)).findLast(({ type }) => type === 'turn.ended')).toMatchObject({
    result: 'usable',
  })
  await expectIntact(all, id)
}

/** Every seq is there once, and the database is sound after a restart. */
async function expectIntact(all: Sessions, id: string): Promise<void> {
  const stored = await all.store.events.read(id, 0, 100_000)
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1))
  await all.crash()
  const again = await openSqliteStore(join(homeOf(all), 'plexus.db'))
  expect(await again.events.read(id, 0, 100_000)).toEqual(stored)
  await again.close()
  await all.open()
}
