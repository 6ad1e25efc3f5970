import { AppError } from '../../../base/errors.ts'
import type { Database } from './database.ts'
import { GroupCommit, type GroupOptions } from './group-commit.ts'
import { faultOf } from './sqlite-errors.ts'

type Value = string | number | null
type Statement = ReturnType<Database['prepare']>

/**
 * The one connection that writes. Every statement is prepared when it is first used and then kept. A row is taken
 * to be what its reader says it is: the tables are STRICT and nobody else writes them.
 */
export class Connection {
  readonly #database: Database
  readonly #path: string
  readonly #statements = new Map<string, Statement>()
  readonly #group = new GroupCommit(this)
  #open = true

  constructor(database: Database, path: string) {
    this.#database = database
    this.#path = path
  }

  /** How many rows it changed. */
  run(sql: string, values: readonly Value[] = []): number {
    return this.#told(() => this.#statement(sql).run(...values).changes)
  }

  /** The first row, if there is one. */
  get(sql: string, values: readonly Value[] = []): ReturnType<Statement['get']> {
    return this.#told(() => this.#statement(sql).get(...values))
  }

  all(sql: string, values: readonly Value[] = []): ReturnType<Statement['all']> {
    return this.#told(() => this.#statement(sql).all(...values))
  }

  /** Several statements, or one that is not worth keeping. */
  exec(sql: string): void {
    this.#told(() => this.#database.exec(sql))
  }

  /**
   * All of the work or nothing of it. With `durable` the commit has reached the disk when this returns: in WAL mode
   * only FULL syncs the log at a commit, and that carries every earlier commit with it. The switch has no effect
   * inside a transaction, so it is around it.
   */
  transaction<T>(work: () => T, { durable = false } = {}): T {
    if (durable) this.run('PRAGMA synchronous = FULL')
    try {
      this.run('BEGIN IMMEDIATE')
      const result = work()
      this.run('COMMIT')
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    } finally {
      if (durable) this.#syncLess()
    }
  }

  /** All of the work or nothing of it, in one commit with all other work of this turn of the event loop. */
  grouped<T>(work: () => T, options?: GroupOptions<T>): Promise<T> {
    return this.#group.add(work, options)
  }

  /**
   * Puts the log into the file first: the package keeps the files open until its statements are collected, so that the
   * close by itself leaves a log behind. A full disk keeps it from that and costs nothing.
   */
  close(): void {
    if (!this.#open) return
    this.#group.flush()
    try {
      this.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {}
    this.#open = false
    this.#statements.clear()
    this.#told(() => this.#database.close())
  }

  /** A commit stands whether or not this succeeds; without it the next ones are only slower. */
  #syncLess(): void {
    try {
      this.run('PRAGMA synchronous = NORMAL')
    } catch {}
  }

  /** A full disk or a failed BEGIN has ended the transaction already, and then SQLite refuses. */
  #rollBack(): void {
    try {
      this.#statement('ROLLBACK').run()
    } catch {}
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    if (!this.#open) throw new AppError('internal', 'The store is closed; start Plexus again.')
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #told<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw faultOf(error, this.#path)
    }
  }
}
