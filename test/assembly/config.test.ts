import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigFile, readConfigFile } from '../../src/assembly/config-file.ts'
import { configFrom, defaultHome } from '../../src/assembly/config.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

test('what nobody set is as the documents say', () => {
  expect(configFrom({ HOME: '/me', PLEXUS_HOME: '/p' })).toMatchObject({
    home: '/p',
    port: 4445,
    permissionTimeoutMs: 300_000,
    maxSessions: 10,
    logLevel: 'info',
    eventBufferSize: 500,
    carrier: 'control',
    exitWhenIdleSeconds: undefined,
  })
})

test('a flag comes before the environment, and an empty variable is none', () => {
  const env = { PLEXUS_HOME: '/p', PLEXUS_PORT: '1', MAX_SESSIONS: '', LOG_LEVEL: 'debug' }
  expect(configFrom(env, { home: '/q', port: '0' })).toMatchObject({ home: '/q', port: 0, maxSessions: 10 })
  expect(configFrom(env)).toMatchObject({ home: '/p', port: 1, logLevel: 'debug' })
})

test.each([
  [{ HOME: '/me' }, 'linux', '/me/.local/state/plexus'],
  [{ HOME: '/me', XDG_STATE_HOME: '/state' }, 'linux', '/state/plexus'],
  [{ HOME: '/me', XDG_STATE_HOME: 'state' }, 'linux', '/me/.local/state/plexus'],
  [{ HOME: '/me' }, 'darwin', '/me/Library/Application Support/plexus'],
] as const)('with %j on %s the home is %s', (env, platform, home) => {
  expect(defaultHome(env, platform)).toBe(home)
})

test('without any home there is a sentence that says what to do', () => {
  expect(() => defaultHome({})).toThrow(
    'Neither HOME nor PLEXUS_HOME is set; name the home folder with --home.',
  )
})

test.each([
  ['notify-send Plexus', true],
  ['https://example.org/hook', true],
  ['http://127.0.0.1:8080/', true],
  ['http://localhost/', true],
  ['http://127.0.0.1.evil.example/', false],
  ['http://example.org/', false],
  ['file:///etc/passwd', false],
  ['ftp://127.0.0.1/', false],
  ['', false],
])('on_question %j: %j', (receiver, fine) => {
  expect(ConfigFile.safeParse({ on_question: receiver }).success).toBe(fine)
})

test('a home without a config file has no config, and a file that cannot be read is an error', async () => {
  const home = await temporaryFolder()
  expect(readConfigFile(home)).toEqual(ConfigFile.parse({}))
  await writeFile(join(home, 'config.json'), '{"trusted":["/a"]}')
  expect(readConfigFile(home)).toEqual(ConfigFile.parse({ trusted: ['/a'] }))
  const other = await temporaryFolder()
  await mkdir(join(other, 'config.json'))
  expect(() => readConfigFile(other)).toThrow('it cannot be read.')
})
