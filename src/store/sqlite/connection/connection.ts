import { AppError } from '../../../base/errors.ts'
import type { Database } from './database.ts'
import { GroupCommit, type GroupOptions } from './group-commit.ts'
import { appErrorOf } from './sqlite-errors.ts'

type Value = string | number | null
type Statement = ReturnType<Database['prepare']>

/**
 * The only connection that writes. Every statement is prepared when it is first used and then kept. The type of a row is
 * the one that its reader declares, unchecked: the tables are STRICT and no other program writes them.
 */
export class Connection {
  readonly #database: Database
  readonly #path: string
  readonly #statements = new Map<string, Statement>()
  readonly #group = new GroupCommit(this)
  #open = true
  #rollbacks = 0

  constructor(database: Database, path: string) {
    this.#database = database
    this.#path = path
  }

  /** Returns the number of changed rows. */
  run(sql: string, values: readonly Value[] = []): number {
    return this.#withSqliteErrors(() => this.#statement(sql).run(...values).changes)
  }

  /** The first row, if there is any. */
  get(sql: string, values: readonly Value[] = []): ReturnType<Statement['get']> {
    return this.#withSqliteErrors(() => this.#statement(sql).get(...values))
  }

  all(sql: string, values: readonly Value[] = []): ReturnType<Statement['all']> {
    return this.#withSqliteErrors(() => this.#statement(sql).all(...values))
  }

  /** Several statements, or a single statement that is not worth keeping. */
  exec(sql: string): void {
    this.#withSqliteErrors(() => this.#database.exec(sql))
  }

  /**
   * All of the work or nothing of it. With `durable` the commit has reached the disk when this returns: in WAL mode only FULL
   * syncs the log at a commit, and that syncs every earlier commit too. The switch has no effect inside a transaction, so it
   * is made before and after it.
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
      if (durable) this.#resetSync()
    }
  }

  /** How many transactions were undone: what was remembered of what they wrote is not so. */
  get rollbacks(): number {
    return this.#rollbacks
  }

  /** All of the work or nothing of it, in one commit with all other work of this turn of the event loop. */
  grouped<T>(work: () => T, options?: GroupOptions<T>): Promise<T> {
    return this.#group.add(work, options)
  }

  /**
   * Writes the log into the file first: the package keeps the files open until its statements are collected, so that a close
   * alone would leave the log on disk. On a full disk the log stays, and nothing is lost.
   */
  close(): void {
    if (!this.#open) return
    this.#group.flush()
    try {
      this.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {}
    this.#open = false
    this.#statements.clear()
    this.#withSqliteErrors(() => this.#database.close())
  }

  /** A commit stands whether or not this succeeds; if it fails, the next commits are only slower. */
  #resetSync(): void {
    try {
      this.run('PRAGMA synchronous = NORMAL')
    } catch {}
  }

  /** After a full disk or a failed BEGIN there is no transaction any more, and SQLite refuses. */
  #rollBack(): void {
    this.#rollbacks += 1
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

  #withSqliteErrors<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw appErrorOf(error, this.#path)
    }
  }
}
