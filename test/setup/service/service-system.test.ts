import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installedText, requireOurs, writeServiceFile } from '../../../src/setup/service/service-file.ts'
import { statusWords } from '../../../src/setup/service/service-status.ts'
import { serviceSystem } from '../../../src/setup/service/service-system.ts'
import { makeRoomSentence } from '../../../src/setup/service/take-over.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

const linux = serviceSystem({ HOME: '/h' }, 'linux', 7)
const mac = serviceSystem({ HOME: '/h' }, 'darwin', 7)

test('each system has its place for the file', () => {
  expect(linux.file).toBe('/h/.config/systemd/user/plexus.service')
  expect(serviceSystem({ HOME: '/h', XDG_CONFIG_HOME: '/x' }, 'linux', 7).file).toBe(
    '/x/systemd/user/plexus.service',
  )
  expect(mac.file).toBe('/h/Library/LaunchAgents/plexus.hub.plist')
  expect(() => serviceSystem({}, 'linux', 7)).toThrow('HOME is not set')
})

test('the state of a service is what systemctl says of it', () => {
  const said = 'MainPID=42\nActiveState=active\nUnitFileState=enabled\n'
  expect(linux.stateFrom(said)).toEqual({ reachable: true, active: true, enabled: true, pid: 42 })
  const none = 'MainPID=0\nActiveState=inactive\nUnitFileState=\n'
  expect(linux.stateFrom(none)).toEqual({ reachable: true, active: false, enabled: false })
  expect(linux.stateFrom('MainPID=0\nActiveState=failed\nUnitFileState=enabled\n').active).toBe(false)
  expect(linux.stateFrom(undefined)).toEqual({ reachable: false, active: false, enabled: false })
})

test('the state of a service is what launchctl says of it', () => {
  expect(mac.stateFrom('gui/7/plexus.hub = {\n\tstate = running\n\tpid = 42\n}')).toMatchObject({
    active: true,
    pid: 42,
  })
  expect(mac.stateFrom('gui/7/plexus.hub = {\n\tstate = waiting\n}')).toMatchObject({
    active: false,
    enabled: true,
  })
  expect(mac.stateFrom(undefined)).toMatchObject({ active: false, enabled: false })
})

test('a file that was there before is kept, each time under a name of its own', async () => {
  const file = join(await temporaryFolder(), 'deep/plexus.service')
  expect(await writeServiceFile(file, 'one')).toBeUndefined()
  expect((await lstat(file)).mode & 0o777).toBe(0o600)
  expect(await writeServiceFile(file, 'one')).toBeUndefined()
  expect(await writeServiceFile(file, 'two')).toBe(`${file}.backup-1`)
  expect(await writeServiceFile(file, 'three')).toBe(`${file}.backup-2`)
  expect(await readFile(`${file}.backup-1`, 'utf8')).toBe('one')
  expect((await readdir(join(file, '..'))).toSorted()).toEqual([
    'plexus.service',
    'plexus.service.backup-1',
    'plexus.service.backup-2',
  ])
})

test('a unit that is masked or linked is left as it is, and one of somebody else is not removed', async () => {
  const folder = await temporaryFolder()
  const [masked, foreign] = [join(folder, 'masked'), join(folder, 'foreign')]
  await symlink('/dev/null', masked)
  expect(() => installedText(masked)).toThrow('is a link or no file')
  await expect(writeServiceFile(masked, 'x')).rejects.toThrow('is a link or no file')
  await writeFile(foreign, '[Service]\nExecStart=/bin/plexus serve\n')
  expect(() => requireOurs(foreign)).toThrow('was not written by plexus service install')
  await mkdir(join(folder, 'dir'))
  expect(() => installedText(join(folder, 'dir'))).toThrow('is a link or no file')
})

const running = {
  file: '/f',
  installed: 'yes',
  reachable: true,
  active: true,
  enabled: true,
  pid: 42,
} as const

test('the status says what is so, and what to do about the rest', () => {
  expect(statusWords(running)).toEqual(['The service is installed: /f', 'It runs (pid 42).'])
  expect(statusWords({ ...running, installed: 'no' })).toHaveLength(1)
  const words = statusWords({
    ...running,
    installed: 'other',
    active: false,
    enabled: false,
    linger: false,
    otherHub: 9,
  })
  expect(words.join('\n')).toMatch(
    /run it again to update.*\n.*does not run.*\n.*log in.*\n.*pid 9.*\n.*enable-linger$/,
  )
  expect(statusWords({ ...running, reachable: false })).toEqual([
    'The service is installed: /f',
    expect.stringContaining('is not known'),
  ])
})

test('a hub that somebody else runs is not ended; the person learns how it makes room', () => {
  const terminal = makeRoomSentence({ kind: 'terminal', pid: 9 }, 'systemctl --user restart plexus.service')
  expect(terminal).toMatch(
    /pid 9.*kill 9, then run: systemctl --user restart plexus\.service\. Its sessions stay/,
  )
  expect(makeRoomSentence({ kind: 'client', pid: 9 }, 'x')).toContain('Close that client, then run: x')
})
