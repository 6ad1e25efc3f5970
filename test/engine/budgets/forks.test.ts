import { expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession } from '../../contracts/rows.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { appWithoutCli, CALLERS } from '../../rig/clients/family.ts'

const options = (given: object) => StartOptions.parse(given)

test('a fork below a session reserves what its original may spend, by the limit that holds now (asked for: 4)', async () => {
  const store = await openMemoryStore()
  await store.sessions.create(aSession({ id: 'top', config: options({ budget: { usd: 10 } }), costUsd: 5 }))
  const config = options({ budget: { usd: 6 } })
  await store.sessions.create(aSession({ id: 'low', parentId: 'top', config, status: 'done' }))
  const { engine } = await appWithoutCli(store, await temporaryFolder())
  const fork = (caller = CALLERS.operator) => engine.fork({ caller }, { sessionId: 'low' })
  await expect(fork()).rejects.toMatchObject({ code: 'over_budget', data: { left: 5 } })
  await engine.setBudget({ caller: CALLERS.operator }, { sessionId: 'low', budget: { usd: 4 } })
  // Now it is refused for another reason: nothing was said in it yet.
  await expect(fork()).rejects.toThrow('There is no such node in this session yet')
})
