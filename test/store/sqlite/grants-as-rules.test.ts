import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/store/sqlite/connection/database.ts'
import { MIGRATIONS } from '../../../src/store/sqlite/migrations.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { aSession } from '../../contracts/rows.ts'
import { storeFolder } from '../../rig/hubs/store-folder.ts'

/** The version whose grants were no rules yet. */
const BEFORE = 7

describe('R19: a database of the version before', () => {
  const place = storeFolder()

  async function migrated(...rules: unknown[]) {
    const old = await openSqliteStore(place.path, { migrations: MIGRATIONS.slice(0, BEFORE) })
    await old.sessions.create(aSession({ workingDirectory: '/project' }))
    await old.close()
    const database = openDatabase(place.path)
    const insert = database.prepare('INSERT INTO grants (id, session_id, body) VALUES (?, ?, ?)')
    for (const [index, rule] of rules.entries())
      insert.run(
        `g${index}`,
        's1',
        JSON.stringify({ id: `g${index}`, sessionId: 's1', rule, by: 'ann', at: 5 }),
      )
    database.close()
    const store = await openSqliteStore(place.path)
    const grants = await store.grants.ofSession('s1')
    await store.close()
    return grants
  }

  it('has its grants as rules of their session afterwards, each as wide as it was', async () => {
    const odd = 'touch \u0000 \ud800'
    const exact = { toolName: 'Bash', subject: odd, folder: '/project/sub' }
    const suggested = ['Bash(touch *)', 'Read(//data/**)', 'mcp__a__b', 'Skill(x)']
    const [first, second] = await migrated(
      { ...exact, rules: [], remember: 'session' },
      { ...exact, rules: suggested, remember: 'suggested' },
    )
    const limits = { effect: 'allow', session: ['s1'] }
    expect(first).toStrictEqual({
      id: 'g0',
      sessionId: 's1',
      by: 'ann',
      at: 5,
      scope: 'session',
      rules: [{ id: 'g0', ...limits, exact }],
    })
    expect(second?.rules).toEqual([
      { id: 'g1', ...limits, exact },
      { id: 'g1', ...limits, tool: ['Bash'], command: ['touch *'] },
      { id: 'g1', ...limits, tool: ['Read|Glob|Grep|LS'], path: ['/data'] },
      { id: 'g1', ...limits, tool: ['mcp__a__b'] },
    ])
  })

  it('S26: keeps of what 0.1.0 remembered only the exact call in the folder of the session', async () => {
    const found = await migrated(
      { toolName: 'Bash', subject: 'touch a', rules: ['Bash(touch *)'] },
      { toolName: 'Write', subject: '/a/b', rules: ['Write'] },
    )
    expect(found.map(({ rules }) => rules.map(({ exact }) => exact))).toEqual([
      [{ toolName: 'Bash', subject: 'touch a', folder: '/project' }],
      [{ toolName: 'Write', subject: '/a/b' }],
    ])
  })

  it('drops a row that grants nothing', async () => {
    expect(
      await migrated(null, 'Bash', { toolName: 'Bash' }, { toolName: 'Bash', subject: 'x' }),
    ).toHaveLength(1)
  })
})
