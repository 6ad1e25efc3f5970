import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'

test('S6: after a session the home is 0700, every folder in it 0700, and every file 0600', async () => {
  const place = await hubPlace({
    scenario: { main: [tools(use('Bash', { command: 'touch made' })), say('made')] },
  })
  await mkdir(place.home, { mode: 0o755 })
  await chmod(place.home, 0o755)
  const hub = await place.start()
  const { id } = await hub.call<Session>('createSession', { options: { workingDirectory: place.project } })
  place.sessions.add(id)
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  await hub.call('waitFor', { sessionIds: [id], seconds: 50 })
  const modes = await modesBelow(place.home)
  expect(modes.get(place.home)).toBe('folder 700')
  expect(modes.size).toBeGreaterThan(12)
  for (const [path, mode] of modes)
    expect([path, mode]).toEqual([path, mode.startsWith('folder') ? 'folder 700' : 'file 600'])
})

test('S6: a home that others can write, or that lies where others can, is refused', async () => {
  const place = await hubPlace()
  await mkdir(place.home)
  for (const mode of [0o770, 0o707, 0o777]) {
    await chmod(place.home, mode)
    expect(await refusal(place)).toMatch(/can be written by others/)
  }
  await rm(place.home, { recursive: true })
  const open = join(place.folder, 'open')
  await mkdir(join(open, 'home'), { recursive: true, mode: 0o700 })
  await chmod(open, 0o777)
  await symlink(join(open, 'home'), place.home)
  expect(await refusal(place)).toMatch(/which everybody can write/)
  expect(await readdir(join(open, 'home'))).toEqual([])
})

test('S6: a home that is no folder is refused', async () => {
  const place = await hubPlace()
  await writeFile(place.home, '')
  expect(await refusal(place)).toMatch(/cannot be made|is not a folder/)
})

test.runIf(process.getuid?.() === 0)('S6: a home of somebody else is refused', async () => {
  const { chown } = await import('node:fs/promises')
  const place = await hubPlace()
  await mkdir(place.home, { mode: 0o700 })
  await chown(place.home, 12_345, 12_345)
  expect(await refusal(place)).toMatch(/belongs to someone else/)
})

test.each(['operator.token', 'plexus.db'])('S6: a link in the place of %s is not followed', async (name) => {
  const place = await hubPlace()
  await mkdir(place.home, { mode: 0o700 })
  const [link, elsewhere] = [join(place.home, name), join(place.folder, 'elsewhere')]
  await symlink(elsewhere, link)
  expect(await refusal(place)).toContain(name)
  await expect(lstat(elsewhere)).rejects.toThrow('ENOENT')
  const token = 'A'.repeat(43)
  await writeFile(elsewhere, token, { mode: 0o600 })
  expect(await refusal(place)).toContain(name)
  expect(await readFile(elsewhere, 'utf8')).toBe(token)
})

test.each(['hub.json', 'hub.sock'])(
  'S6: a link in the place of %s is replaced, not followed',
  async (name) => {
    const place = await hubPlace()
    await mkdir(place.home, { mode: 0o700 })
    const elsewhere = join(place.folder, 'elsewhere')
    await writeFile(elsewhere, 'mine')
    await symlink(elsewhere, join(place.home, name))
    await place.start()
    expect(await readFile(elsewhere, 'utf8')).toBe('mine')
    expect((await lstat(join(place.home, name))).isSymbolicLink()).toBe(false)
  },
)

test('S6: a token that others could have read is not used', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  await hub.kill('SIGTERM')
  await chmod(hub.tokenFile, 0o644)
  expect(await refusal(place)).toMatch(/operator\.token could be read or written by others/)
  await rm(hub.tokenFile)
  const again = await place.start()
  expect(again.token).not.toBe(hub.token)
  await expect(Object.assign(again, { token: hub.token }).call('listSessions')).rejects.toThrow(
    'This token is unknown or no longer valid',
  )
})

test('S15: the hub refuses to live inside a project, in one sentence', async () => {
  const place = await hubPlace()
  const project = join(place.folder, 'project')
  await mkdir(join(project, '.git'))
  await symlink(project, place.home)
  expect(await refusal(place)).toMatch(/lies inside the project .*choose a folder outside of it/)
})

/** The one sentence of a hub that does not start. */
async function refusal(place: HubPlace): Promise<string> {
  place.stderr = place.stdout = ''
  expect(await place.launch().ended).toBe(1)
  expect(place.stderr).toMatch(/^plexus: [^\n]+\n$/)
  expect(place.stdout).toBe('')
  return place.stderr
}

async function modesBelow(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true })
  const modes = new Map<string, string>()
  for (const path of [folder, ...names.map((name) => join(folder, name))]) {
    const found = await lstat(path).catch(() => undefined) // a message that was taken in the meantime
    if (found)
      modes.set(path, `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`)
  }
  return modes
}
