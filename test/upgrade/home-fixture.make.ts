/** Makes test/fixtures/homes/VERSION; run by scripts/make-home-fixture.mjs, which says what that is. */
import { cp, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endAll, processesOfSession } from '../../src/system/process-tree.ts'
import { startScriptedModel } from '../../src/demo/scripted-model.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { openDatabase } from '../../src/store/sqlite/connection/database.ts'
import { HubPlace } from '../rig/hubs/hub.ts'
import { fillHome, oldHomeScenario } from '../rig/hubs/old-home.ts'
import { released } from '../rig/hubs/release.ts'

const root = join(import.meta.dirname, '../..')
const VERSION = '0.1.0'
/** Paths are on record, so this one says nothing of the machine. */
const FOLDER = '/tmp/plexus-fixture'
/** These are at work until they are cut off; all others are ended in good order. */
const CUT_OFF = ['waiting', 'running']

test('makes a home', async () => {
  await mkdir(join(FOLDER, 'project'), { recursive: true })
  onTestFinished(() => rm(FOLDER, { recursive: true }))
  const model = await startScriptedModel(oldHomeScenario)
  onTestFinished(() => model.close())
  const place = new HubPlace(FOLDER, model, {})
  onTestFinished(() => place.clear())
  place.program = await released(VERSION)
  const hub = await place.start()
  await fillHome(place, hub)
  const sessions = await hub.call<Session[]>('listSessions')
  for (const { id, name = '' } of sessions)
    if (!CUT_OFF.includes(name)) await hub.call('stopSession', { sessionId: id })
  await hub.kill('SIGKILL')
  for (const { id } of sessions) await endAll(() => processesOfSession(id))
  mergeLog(join(place.home, 'plexus.db'))
  const to = join(root, 'test/fixtures/homes', VERSION)
  await rm(to, { recursive: true, force: true })
  await cp(place.home, to, { recursive: true, filter: isKept })
  const database = await readFile(join(to, 'plexus.db'), 'latin1')
  expect(database.length).toBeLessThan(200_000)
  for (const ofMachine of [root, homedir(), hostname()]) expect(database).not.toContain(ofMachine)
}, 120_000)

/** What a killed hub left beside the database becomes a part of it. */
function mergeLog(path: string): void {
  const database = openDatabase(path)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM')
  database.close()
}

/** No sockets, which are nothing without a process, and no run folders, for a copy has other paths than are on record. */
async function isKept(path: string): Promise<boolean> {
  const found = await stat(path)
  return found.isFile() || (found.isDirectory() && basename(path) !== 'runs')
}
