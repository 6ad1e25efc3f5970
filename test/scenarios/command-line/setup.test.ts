/** Plexus becomes a part of a machine, and leaves it: the built program in an empty home, with the real CLI. */
import { execFileSync } from 'node:child_process'
import { access, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { cliPath } from '../../rig/cli/real-cli.ts'
import { type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const claude = ({ env, project }: HubPlace, ...args: readonly string[]) =>
  execFileSync(cliPath(), args, { env, cwd: project, encoding: 'utf8' })

test('what install writes is what Claude Code reads, and uninstall takes it out again', async () => {
  const place = await hubPlace()
  const plexus = plexusAt(place)
  const file = join(place.folder, 'config/.claude.json')
  const refused = await plexus('install', 'claude-code')
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toMatch(/\n\+ +"plexus": \{\n.*\nplexus: Nobody can be asked here, [^\n]*\n$/s)
  expect(await exists(file)).toBe(false)

  const made = await plexus('install', 'claude-code', '--yes', '--allow-rules', '--as', 'terminal')
  expect(made).toMatchObject({ exitCode: 0 })
  expect(made.stderr).toContain('Plexus is added to Claude Code.')
  const seen = claude(place, 'mcp', 'get', 'plexus')
  expect(seen).toContain('Scope: User config')
  expect(seen).toContain(`Args: ${place.program} mcp --as terminal --home ${place.home}`)
  expect(seen).toContain('Connected')
  const { permissions } = JSON.parse(await readFile(join(place.folder, 'config/settings.json'), 'utf8')) as {
    permissions: { allow: string[] }
  }
  expect(permissions.allow).toHaveLength(3)

  const again = await plexus('install', 'claude-code', '--yes', '--allow-rules', '--as', 'terminal')
  expect(again.stderr).toMatch(/^Claude Code starts this program already \(.*\); nothing changes\.\n$/)
  const { clients } = JSON.parse((await plexus('install', '--json')).stdout) as { clients: object[] }
  expect(clients[0]).toMatchObject({ client: 'claude-code', state: 'configured', found: true, file })
  const parts = (await plexus('uninstall')).stdout
  expect(parts).toMatch(/^Claude Code +~\/config\/\.claude\.json +plexus uninstall claude-code$/m)

  expect(await plexus('uninstall', 'claude-code', '-y', '--allow-rules')).toMatchObject({ exitCode: 0 })
  expect(claude(place, 'mcp', 'list')).toContain('No MCP servers configured')
  expect(
    (await readdir(join(place.folder, 'config'))).filter((name) => /settings|plexus/.test(name)),
  ).toEqual([])
})

test('an agent gives itself no rules, no trust and no token, and a session of ours installs nothing', async () => {
  const place = await hubPlace()
  const [agent, session] = [
    plexusAt(place, { CLAUDECODE: '1' }),
    plexusAt(place, { LOOPBACK_SESSION_ID: 'x' }),
  ]
  for (const command of [
    ['install', 'claude-code', '--yes', '--allow-rules'],
    ['trust', '.', '--yes'],
    ['trust', 'rm', '.'],
    ['token', 'add', 'editor'],
    ['token', 'rm', 'editor', '--yes'],
  ]) {
    const refused = await agent(...command)
    expect([refused.exitCode, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain('CLAUDECODE is set, so this counts as a call of an agent')
    expect((await session(...command)).stderr).toContain('This runs inside session x')
  }
  expect(await exists(join(place.folder, 'config'))).toBe(false)
  expect(await exists(place.home)).toBe(false)
})

test('a folder is trusted while a hub runs: the next session there loads its CLAUDE.md, and none after trust rm', async () => {
  const place = await hubPlace({ scenario: { main: [say('read'), say('read'), say('read')] } })
  const plexus = plexusAt(place)
  await writeFile(join(place.project, 'CLAUDE.md'), 'MARK-of-the-project')
  await mkdir(join(place.project, 'sub'))
  await symlink(place.project, join(place.folder, 'link'))
  const hub = await place.start()
  const sees = async (name: string) => {
    await plexus('start', '--name', name, '-C', join(place.project, 'sub'), 'Read it')
    await plexus('wait', name)
    const { body } = place.model.requests.findLast(({ kind }) => kind === 'main') ?? {}
    return JSON.stringify(body).includes('MARK-of-the-project')
  }
  expect(await sees('before')).toBe(false)
  expect(await plexus('trust', join(place.folder, 'link'))).toMatchObject({ exitCode: 2 })
  const trusted = await plexus('trust', join(place.folder, 'link'), '--yes')
  expect(trusted.stderr).toContain('There now: CLAUDE.md.')
  expect((await plexus('trust', 'ls')).stdout).toMatch(new RegExp(`^${place.project} +Plexus$`, 'm'))
  expect(await sees('trusting')).toBe(true)
  await plexus('trust', 'rm', place.project)
  expect(await sees('after')).toBe(false)
  expect((await place.running())?.pid).toBe(hub.pid)
})

test('a token is made, has its scopes at once in the hub that runs, and is refused when it is removed', async () => {
  const place = await hubPlace()
  const plexus = plexusAt(place)
  const hub = await place.start()
  const file = join(place.home, 'clients/editor.token')
  expect(await plexus('token', 'add', 'editor')).toMatchObject({ exitCode: 0, stdout: `${file}\n` })
  const token = (await readFile(file, 'utf8')).trim()
  expect((await plexus('token', 'add', 'editor', '--show')).stdout).toBe(`${token}\n`)
  const create = (permissionMode: string) =>
    hub
      .call(
        'createSession',
        { options: { workingDirectory: place.project, permissionMode } },
        {
          authorization: `Bearer ${token}`,
        },
      )
      .then(
        () => 'created',
        (error: unknown) => String(error),
      )
  expect(await create('bypassPermissions')).toContain('bypass')
  expect(await plexus('token', 'add', 'editor', '--scope', 'bypass')).toMatchObject({ exitCode: 2 })
  expect(await plexus('token', 'add', 'editor', '--scope', 'bypass', '--yes')).toMatchObject({ exitCode: 0 })
  expect(await create('bypassPermissions')).toBe('created')
  const listed = await plexus('token', 'ls')
  expect(listed.stdout).toMatch(/^editor +bypass +\d+ s ago +\d+ s ago$/m)
  expect(listed.stdout + listed.stderr).not.toContain(token)
  expect(await plexus('token', 'rm', 'editor', '--yes')).toMatchObject({ exitCode: 0 })
  expect(await create('default')).not.toBe('created')
  expect(await readFile(join(place.home, 'config.json'), 'utf8')).not.toContain('editor')
  await rm(join(place.home, 'config.json'))
})

test.skipIf(!hasTerminal)(
  'on a terminal the person decides: what is unclear is asked again, n changes nothing, y writes',
  async () => {
    const place = await hubPlace()
    const file = join(place.folder, '.cursor/mcp.json')
    const typed = () =>
      openTerminal([process.execPath, place.program, 'install', 'cursor'], {
        env: { ...place.env, LANG: 'C.UTF-8' },
        cwd: place.project,
      })
    const first = await typed()
    await first.sees('Change it? [y/n]')
    first.press('maybe', 'Enter')
    await first.sees(/maybe\s+Change it\? \[y\/n\]/)
    first.press('n', 'Enter')
    expect(await first.sees('exit code 1')).toContain('Nothing was changed.')
    expect(await exists(file)).toBe(false)
    const second = await typed()
    await second.sees('Change it? [y/n]')
    second.press('y', 'Enter')
    await second.sees('exit code 0')
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ mcpServers: { plexus: {} } })
  },
)
