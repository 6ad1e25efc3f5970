import { existsSync, readdirSync } from 'node:fs'
import { chmod, cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PendingQuestion } from '../../src/engine/engine.ts'
import type { Page } from '../../src/sessions/record/read-events.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { openDatabase } from '../../src/store/sqlite/connection/database.ts'
import { MIGRATIONS } from '../../src/store/sqlite/migrations.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../rig/hubs/hub.ts'
import { CLIENT, GRANTED, type Name, READ, READER } from '../rig/hubs/old-home.ts'

const homes = join(import.meta.dirname, '../fixtures/homes')

/** Of each earlier version a home that nobody has touched since its processes were cut off, as after a loss of power. */
test.each(readdirSync(homes))(
  'R28: the home that %s left behind is opened, and has all that it had',
  async (version) => {
    const place = await hubPlace()
    await cp(join(homes, version), place.home, { recursive: true })
    await makePrivate(place.home)
    // It is older than what is kept by itself.
    await writeFile(join(place.home, 'config.json'), '{"keep_days":0}')
    const before = rowsIn(place)
    const hub = await place.start()

    // Nobody can hear an answer any more, and that is on record.
    await eventually(async () => expect(await hub.call<PendingQuestion[]>('pending')).toEqual([]))
    for (const sessionId of ['waiting', 'running'])
      await eventually(async () => {
        const ended = (await eventsOf(hub, sessionId)).find(({ event }) => event.type === 'run.ended')
        expect(ended?.event).toMatchObject({ error: { code: 'cli_failed' } })
      })

    const sessions = await hub.call<Session[]>('listSessions')
    expect(Object.fromEntries(sessions.map(({ name, status }) => [name, status]))).toEqual(STATUS)
    for (const { id } of sessions) {
      const stored = before.eventsOf(id)
      const events = (await eventsOf(hub, id)).slice(0, stored.length)
      expect(events.map(({ seq, event }) => ({ seq, event }))).toEqual(stored)
      expect(await hub.call('listTurns', { sessionId: id })).toHaveLength(before.turnsOf(id))
    }
    expect(await hub.call('tree', { sessionId: 'forked' })).toMatchObject([
      { node: { title: 'The task of done.' }, branches: [{ node: { title: 'Go on elsewhere.' } }] },
    ])
    const page = await hub.call<Page>('readEvents', { sessionId: 'done', reader: READER, limit: 1 })
    expect(page.events).toMatchObject([{ seq: READ + 1 }])
    expect(await hub.call('listGrants', { sessionId: 'done' })).toMatchObject([
      { rule: { subject: GRANTED } },
    ])

    const token = (await readFile(join(place.home, 'clients', `${CLIENT}.token`), 'utf8')).trim()
    const mine = await hub.call<Session[]>('listSessions', {}, { authorization: `Bearer ${token}` })
    expect(mine.map(({ name }) => name)).toEqual(['waiting'])
    // What the database was before is kept beside it.
    const backup = join(place.home, `plexus.db.backup-v${before.databaseVersion}`)
    expect(existsSync(backup)).toBe(before.databaseVersion < MIGRATIONS.length)
  },
)

const STATUS: Record<Name, Session['status']> = {
  idle: 'idle',
  done: 'done',
  forked: 'done',
  waiting: 'failed',
  running: 'failed',
  interrupted: 'interrupted',
  failed: 'failed',
  nested: 'done',
  stopped: 'done',
}

async function eventsOf(hub: Hub, sessionId: string): Promise<Page['events']> {
  return (await hub.call<Page>('readEvents', { sessionId, after: 0, limit: 1_000 })).events
}

/** Straight from the tables, without any code of ours. */
function rowsIn({ home }: HubPlace) {
  const database = openDatabase(join(home, 'plexus.db'))
  const all = (sql: string) => database.prepare(sql).all() as Record<string, string | number>[]
  const events = all('SELECT id, seq, payload FROM events JOIN sessions ON ref = session ORDER BY seq')
  const turns = all('SELECT session_id FROM turns')
  const [version] = all('PRAGMA user_version')
  database.close()
  return {
    databaseVersion: Number(version?.['user_version']),
    turnsOf: (id: string) => turns.filter((row) => row['session_id'] === id).length,
    eventsOf: (id: string) =>
      events
        .filter((row) => row['id'] === id)
        .map(({ seq, payload }) => ({ seq, event: JSON.parse(String(payload)) as unknown })),
  }
}

/** Git keeps no modes. */
async function makePrivate(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}
