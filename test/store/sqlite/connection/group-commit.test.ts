import { describe, expect, it, onTestFinished } from 'vitest'
import { Connection } from '../../../../src/store/sqlite/connection/connection.ts'
import { type Database, openDatabase } from '../../../../src/store/sqlite/connection/database.ts'
import { storeFolder } from '../../../rig/hubs/store-folder.ts'

const place = storeFolder()

describe('work of one turn of the event loop', () => {
  it('shares a commit, and that of the next turn has its own', async () => {
    const { db, commits } = connected()
    await Promise.all(['a', 'b', 'c'].map((name) => db.grouped(() => insert(db, name))))
    expect(commits()).toBe(1)
    await db.grouped(() => insert(db, 'd'))
    expect(commits()).toBe(2)
    expect(namesIn(db)).toBe('a b c d')
  })

  it('is read by nobody before it is committed, and by whoever is called right after it', async () => {
    const { db } = connected()
    const seen: string[] = []
    const done = db.grouped(() => insert(db, 'a'), { onCommitted: () => seen.push(namesIn(db)) })
    expect(namesIn(db)).toBe('')
    await done
    expect(seen).toEqual(['a'])
  })

  it('is done again one by one where a piece of it fails, and what that piece wrote is gone', async () => {
    const { db, commits } = connected()
    const failing = () => {
      insert(db, 'bad')
      throw new Error('no')
    }
    const told = await Promise.allSettled([
      db.grouped(() => insert(db, 'a')),
      db.grouped(failing),
      db.grouped(() => insert(db, 'b'), { durable: true }),
    ])
    expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(told[1]).toMatchObject({ reason: { message: 'no' } })
    expect(namesIn(db)).toBe('a b')
    expect(commits()).toBe(2)
  })

  it('fails together, once, where no transaction can begin', async () => {
    const { db, begins } = connected()
    const other = openDatabase(place.path)
    other.exec('BEGIN IMMEDIATE')
    const told = await Promise.allSettled(['a', 'b'].map((name) => db.grouped(() => insert(db, name))))
    for (const one of told) expect(one).toMatchObject({ reason: { code: 'busy' } })
    expect(begins()).toBe(1)
    other.exec('ROLLBACK')
    other.close()
    await db.grouped(() => insert(db, 'c'))
    expect(namesIn(db)).toBe('c')
  })

  it('is committed by a close that comes first', async () => {
    const { db } = connected()
    const done = db.grouped(() => insert(db, 'a'))
    db.close()
    await done
    const again = connected()
    expect(namesIn(again.db)).toBe('a')
    await expect(db.grouped(() => insert(db, 'b'))).rejects.toThrow('closed')
  })
})

/** A connection to a table of names, and how often a transaction was begun and committed on it. */
function connected(): { db: Connection; commits: () => number; begins: () => number } {
  const ran: string[] = []
  const database = openDatabase(place.path)
  const counted: Database = {
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare: (sql) => {
      const statement = database.prepare(sql)
      const run = statement.run.bind(statement)
      const value: typeof run = (...values) => {
        ran.push(sql)
        return run(...values)
      }
      Object.defineProperty(statement, 'run', { value })
      return statement
    },
  }
  const db = new Connection(counted, place.path)
  onTestFinished(() => db.close())
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS names (name TEXT)')
  const count = (sql: string) => ran.filter((one) => one === sql).length
  return { db, commits: () => count('COMMIT'), begins: () => count('BEGIN IMMEDIATE') }
}

function insert(db: Connection, name: string): void {
  db.run('INSERT INTO names VALUES (?)', [name])
}

function namesIn(db: Connection): string {
  const rows: { name: string }[] = db.all('SELECT name FROM names ORDER BY rowid')
  return rows.map(({ name }) => name).join(' ')
}
