/** The options of a start, the turns of a session and forks of them, what they cost, and a name that is used again. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'

test('a session is started with options, forked at a turn, summed up, and its name used again', async () => {
  const place = await hubPlace({ scenario: { main: [say('one'), say('two'), say('three')] } })
  const plexus = plexusAt(place)
  await mkdir(join(place.folder, 'other'))
  for (const [flags, sentence] of [
    [['--option', 'maxTurns'], '--option must be NAME=JSON, such as --option maxTurns=5.'],
    [['--option', 'nothing=1'], 'There is no start option nothing; remove it or correct its name.'],
    [['--mode', 'fast'], '--mode must be one of'],
    [['--timeout', 'soon'], '--timeout must be a time such as 90s, 10m or 2h.'],
  ] as const) {
    const refused = await plexus('start', ...flags, 'First')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(`plexus: ${sentence}`)
  }
  const options = ['--add-dir', '../other', '--option', 'maxTurns=5', '--timeout', '10m', '--nested']
  const { stdout: first } = await plexus('start', '--name', 'web', ...options, 'First')
  await plexus('wait', 'web')
  expect((await plexus('rpc', 'getSession', '--session-id', 'web')).stdout).toContain('"timeoutMs":600000')
  await plexus('say', 'web', 'Second')
  await plexus('wait', 'web')

  const { stdout: forked } = await plexus('fork', 'web', '--at', '1', '--name', 'web-2')
  await plexus('say', 'web-2', 'Third')
  expect(await plexus('wait', 'web-2', '-q')).toMatchObject({ exitCode: 0, stdout: '' })
  const { stdout: tree } = await plexus('tree', 'web')
  expect(tree.replaceAll(/[0-9a-f]{8} {2}/g, 'NODE ')).toBe(
    '  NODE web turn 1  First\n  * NODE web turn 2  Second\n  * NODE web-2 turn 1  Third\n',
  )
  expect((await plexus('tree', 'web', '-q')).stdout.trim().split('\n')).toHaveLength(3)
  expect(await plexus('fork', 'web', '--at', '9')).toMatchObject({
    exitCode: 1,
    stderr: 'plexus: There is no turn 9 in its tree; plexus tree prints it.\n',
  })

  const costs = JSON.parse((await plexus('cost', '--json')).stdout) as {
    days: { usd: number }[]
    sessions: { sessionId: string; usd: number }[]
  }
  expect(costs.days[0]?.usd).toBeGreaterThan(0)
  expect(costs.sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual(
    [first, forked].map((id) => id.trim()).toSorted(),
  )
  const { today } = JSON.parse((await plexus('ls', '--json')).stdout) as {
    today: { usd: number; zone: string }
  }
  expect(today).toMatchObject({ usd: costs.days[0]?.usd, zone: expect.any(String) as string })
  expect((await plexus('ls')).stderr).toMatch(/^\$\d+\.\d\d today\n$/)

  // Its process is there still, so the name is in use; once it is stopped, a new session may have it.
  expect(await plexus('start', '--name', 'web', 'Again')).toMatchObject({ exitCode: 1 })
  await plexus('stop', 'web')
  const { stdout: second } = await plexus('start', '--name', 'web', 'Again')
  expect(second).not.toBe(first)
  await plexus('wait', 'web')
  expect((await plexus('show', first.trim())).stdout).toContain(`name     ${first.slice(0, 8)}\n`)
  expect((await plexus('show', 'web')).stdout).toContain(second.trim())
})
