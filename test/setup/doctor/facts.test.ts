import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judgeSettings } from '../../../src/setup/doctor/checks/cli-settings.ts'
import { judgeUnits } from '../../../src/setup/doctor/checks/units.ts'
import { loginFacts, settingsFiles } from '../../../src/setup/doctor/facts/cli-settings.ts'
import { homeFacts } from '../../../src/setup/doctor/facts/home.ts'
import { logFacts } from '../../../src/setup/doctor/facts/log.ts'
import { placeOf } from '../../../src/setup/doctor/facts/place.ts'
import { unitFiles } from '../../../src/setup/doctor/facts/units.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

async function aPlace(env: Record<string, string> = {}) {
  const folder = await temporaryFolder()
  return { folder, place: { ...placeOf({ HOME: folder, ...env }, undefined), platform: 'linux' } as const }
}

test('a wrong variable is a finding, and the home folder is still known', () => {
  const place = placeOf({ HOME: '/h', PLEXUS_HOME: '/p', MAX_SESSIONS: 'many' }, undefined)
  expect(place).toMatchObject({
    home: '/p',
    port: 4445,
    configProblem: expect.stringContaining('MAX_SESSIONS'),
  })
  expect(placeOf({ HOME: '/h', PLEXUS_PORT: '0' }, '/flag')).toMatchObject({ home: '/flag', port: 0 })
  expect(() => placeOf({}, undefined)).toThrow('Neither HOME nor PLEXUS_HOME is set')
})

test('the home folder is not made, and what is wrong with it is what a hub would say', async () => {
  const { folder, place } = await aPlace()
  expect(await homeFacts(place)).toEqual({ path: place.home, exists: false, exposed: [] })
  expect(await readdir(folder)).toEqual([])
  await mkdir(join(folder, 'repo/.git'), { recursive: true })
  const inside = await homeFacts({ ...place, home: join(folder, 'repo/home') })
  expect(inside.problem).toContain('lies inside the project')
  const open = join(folder, 'open')
  await mkdir(open)
  await chmod(open, 0o777)
  expect((await homeFacts({ ...place, home: open })).problem).toContain('can be written by others')
  const odd = join(folder, 'odd$')
  await mkdir(odd, { mode: 0o700 })
  expect((await homeFacts({ ...place, home: odd })).problem).toContain('without wildcards')
  const long = join(folder, 'l'.repeat(100))
  await mkdir(long, { mode: 0o700 })
  expect((await homeFacts({ ...place, home: long })).problem).toContain('too long a path for a socket')
})

test('a token of a client that others can read is named, and no other file', async () => {
  const { place } = await aPlace()
  await mkdir(join(place.home, 'clients'), { recursive: true, mode: 0o700 })
  await chmod(place.home, 0o700)
  for (const [name, mode] of [
    ['a.token', 0o600],
    ['b.token', 0o640],
    ['note.txt', 0o644],
  ] as const) {
    await writeFile(join(place.home, 'clients', name), 'x')
    await chmod(join(place.home, 'clients', name), mode)
  }
  expect((await homeFacts(place)).exposed).toEqual([join(place.home, 'clients/b.token')])
})

test('a unit is read with what systemctl edit has added to it', async () => {
  const { folder, place } = await aPlace()
  const units = join(folder, '.config/systemd/user')
  await mkdir(join(units, 'plexus.service.d'), { recursive: true })
  await writeFile(join(units, 'plexus.service'), '[Service]\nExecStart=/x/plexus serve\nKillMode=process\n')
  const judged = async () =>
    judgeUnits(await unitFiles(place))
      .filter(({ text }) => text.includes(units))
      .map(({ level }) => level)
  expect(await judged()).toEqual(['ok'])
  await writeFile(join(units, 'plexus.service.d/override.conf'), '[Service]\nKillMode=mixed\n')
  expect(await judged()).toEqual(['fix'])
  await symlink('/nowhere', join(units, 'dangling.service'))
  expect(await judged()).toEqual(['fix'])
})

test('of a login only its presence is read', async () => {
  const { folder, place } = await aPlace({ ANTHROPIC_API_KEY: 'sk-ant-secret1234' })
  await mkdir(join(folder, '.claude'))
  await writeFile(join(folder, '.claude/.credentials.json'), 'nobody reads this')
  await chmod(join(folder, '.claude/.credentials.json'), 0o000)
  await writeFile(join(folder, '.claude/settings.json'), '{"apiKeyHelper":"cat /secret"}')
  const facts = await loginFacts(place)
  expect(facts).toEqual({
    credentialsFile: true,
    variables: ['ANTHROPIC_API_KEY'],
    apiKeyHelper: true,
    platform: 'linux',
  })
  expect((await settingsFiles(place))[0]).toMatchObject({
    managed: false,
    text: expect.stringContaining('apiKeyHelper'),
  })
})

test('the settings of an administrator are one file, and all files of the folder beside it', async () => {
  const { folder, place } = await aPlace()
  const managed = join(folder, 'managed-settings.json')
  await mkdir(join(folder, 'managed-settings.d'))
  for (const name of ['b.json', 'a.json', '.hidden.json', 'note.txt'])
    await writeFile(join(folder, 'managed-settings.d', name), '{"disableAllHooks":true}')
  const found = await settingsFiles(place, managed)
  const names = ['a.json', 'b.json'].map((name) => join(folder, 'managed-settings.d', name))
  expect(found.map(({ file }) => file)).toEqual(names)
  expect(judgeSettings(found, '2.1.197').map(({ text }) => text)).toEqual(
    names.map((name) => expect.stringContaining(`${name} has disableAllHooks`)),
  )
})

test('of a log its end is read, and a link is not followed', async () => {
  const { folder, place } = await aPlace()
  await mkdir(place.home, { recursive: true })
  expect((await logFacts(place)).text).toBe('')
  await writeFile(join(folder, 'other'), 'of another')
  await symlink(join(folder, 'other'), join(place.home, 'hub.log'))
  expect((await logFacts(place)).text).toBe('')
  const large = { ...place, home: folder }
  await writeFile(join(folder, 'hub.log'), `${'x'.repeat(300 * 1_024)}end`)
  expect((await logFacts(large)).text).toMatch(/^x{262141}end$/)
})
