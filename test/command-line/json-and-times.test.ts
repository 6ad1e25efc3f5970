/** What every command has in common: a version in its JSON, one form of times, and an output that cannot be written. */
import { expect, test } from 'vitest'
import { waitSecondsIn } from '../../src/text/time-text.ts'
import { commandHub } from '../rig/hubs/command-hub.ts'

test('--json has a version, or is refused where there is nothing to print as JSON', async () => {
  const { plexus, session } = await commandHub()
  await session('web')
  for (const args of [
    ['rpc', '--json'],
    ['rpc', 'listSessions', '--json'],
    ['install', 'cursor', '--print', '--json'],
  ]) {
    const { stdout, exitCode } = await plexus(...args)
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { v: 1 }])
  }
  for (const args of [
    ['demo', '--json'],
    ['completion', 'bash', '--json'],
  ]) {
    const refused = await plexus(...args)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(JSON.parse(refused.stderr)).toMatchObject({ v: 1, error: { code: 'invalid_input' } })
  }
})

test('a time to wait is written as everywhere, and may be 0 or part of a second', () => {
  expect(['0', '0.5', '90', '90s', '10m', '2h'].map((text) => waitSecondsIn('--timeout', text))).toEqual([
    0, 0.5, 90, 90, 600, 7_200,
  ])
  for (const wrong of ['', 'soon', '-1', '1d', '1 m'])
    expect(() => waitSecondsIn('--timeout', wrong)).toThrow('such as')
})

test.skipIf(process.platform !== 'linux')(
  'an output that cannot be written is one sentence, and a failure',
  async () => {
    const { run, session } = await commandHub()
    await session('web')
    for (const command of ['ls', '--help', '--version', 'help'])
      expect(await run('sh', '-c', `plexus ${command} > /dev/full`)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: 'plexus: The output cannot be written (ENOSPC); check the disk that it goes to.\n',
      })
  },
)

test('decisions are listed by the time of the decision, and not of the question', async () => {
  const { session, ask, plexus } = await commandHub()
  const web = await session('web')
  for (const command of ['one', 'two', 'three']) await ask(web, { command })
  for (const id of ['web.2', 'web.3', 'web.1']) await plexus('allow', id)
  expect((await plexus('decisions', '-q')).stdout).toBe('web.1\nweb.3\nweb.2\n')
  expect((await plexus('decisions', '-q', '-n', '1')).stdout).toBe('web.1\n')
  expect((await plexus('decisions')).stdout).toContain('operator (command line)')
})
