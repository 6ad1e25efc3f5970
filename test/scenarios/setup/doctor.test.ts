/** plexus doctor on a machine where all is well, and on one where nearly nothing is. */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { hubHolder } from '../../../src/hub/hub-lock.ts'
import type { Finding } from '../../../src/setup/doctor/checks/finding.ts'
import { isAlive } from '../../../src/system/process-identity.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { tokensIn } from '../../rig/tools/token-scan.ts'

const root = join(import.meta.dirname, '../../..')

/** The findings by their checks, as level and text. */
async function examined(place: HubPlace, env: Record<string, string> = {}) {
  const { stdout, exitCode } = await plexusAt(place, env)('doctor', '--json')
  expect(await tokensIn(place.home, stdout)).toEqual([])
  const { v, ok, findings } = JSON.parse(stdout) as { v: number; ok: boolean; findings: Finding[] }
  expect([v, ok]).toEqual([1, exitCode === 0])
  const of = (check: string) =>
    findings.filter((one) => one.check === check).map(({ level, text }) => `${level} ${text}`)
  return { exitCode, of, todo: findings.filter(({ level }) => level === 'fix').map(({ check }) => check) }
}

async function killHub(place: HubPlace): Promise<void> {
  const holder = await hubHolder(place.home)
  if (!holder) throw new Error('No hub runs.')
  process.kill(holder.pid, 'SIGKILL')
  await eventually(async () => expect(await isAlive(holder)).toBe(false))
}

async function script(path: string, text: string): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return path
}

test('doctor finds a healthy hub, a hub that died, and each of many faults, and starts none', async () => {
  const main = [tools(use('Bash', { command: 'fmt /etc/passwd' })), say('over')]
  const place = await hubPlace({ scenario: { main } })
  const plexus = plexusAt(place)
  const settings = join(place.folder, 'config/settings.json')
  await mkdir(join(place.folder, 'config'))
  await writeFile(settings, JSON.stringify({ disableAllHooks: true, permissions: { defaultMode: 'auto' } }))

  const before = await examined(place)
  expect([before.exitCode, before.todo]).toEqual([0, []])
  expect(before.of('hub')).toEqual(['ok No hub runs; a command that needs one starts it.'])
  expect(await hubHolder(place.home)).toBeUndefined()

  // That disableAllHooks of a user leaves our hook alone is so: Claude Code 2.1.197 would not ask about this command.
  await plexus('start', '--name', 'web', 'Read it')
  expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 3 })
  const healthy = await examined(place)
  expect([healthy.exitCode, healthy.todo]).toEqual([0, []])
  expect(healthy.of('claude')).toEqual([expect.stringMatching(/^ok Claude Code 2\.1\.\d+ \(tried\): \//)])
  expect(healthy.of('settings')).toEqual([expect.stringMatching(/^note .*the mode auto/)])
  expect(healthy.of('hub')).toEqual([
    expect.stringMatching(/^ok A hub runs in the background \(pid \d+, since /),
  ])
  expect(healthy.of('sessions')).toEqual([
    expect.stringMatching(/^ok 1 live process of sessions, \d+ MB of memory in all/),
  ])
  expect(healthy.of('database')).toEqual([expect.stringMatching(/^ok .*plexus\.db is sound \(\d+ MB\)\.$/)])
  expect(healthy.of('home')).toEqual([`ok ${place.home} is yours alone.`])

  await killHub(place)
  const orphaned = await examined(place)
  expect([orphaned.exitCode, orphaned.todo]).toEqual([1, ['sessions']])
  for (const [command = '', ...args] of [
    ['ls'],
    ['pending'],
    ['show', 'web'],
    ['logs', 'web'],
    ['cost'],
    ['decisions'],
    ['wait', 'web'],
  ])
    expect(await plexus(command, ...args)).toEqual({
      exitCode: 4,
      stdout: '',
      stderr:
        'plexus: No hub runs, but 1 session is alive and waits for one: plexus serve brings it back (it ends after 30 minutes without one).\n',
    })
  expect(await hubHolder(place.home)).toBeUndefined()

  const stranger = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void stranger.close())
  await once(stranger, 'listening')
  const address = stranger.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  await writeFile(settings, JSON.stringify({ permissions: { allow: ['Bash', 'mcp__plexus'] } }))
  await writeFile(join(place.home, 'config.json'), '{"keep_day\\u001b[2J": 3}')
  const failed = {
    time: new Date().toISOString(),
    level: 'error',
    message: 'It failed.\u202E',
    error: 'sk-ant-abcdefgh1234',
  }
  await writeFile(join(place.home, 'hub.log'), `${JSON.stringify(failed)}\n`)
  const units = join(place.folder, '.config/systemd/user')
  await mkdir(units, { recursive: true })
  await writeFile(join(units, 'mine.service'), '[Service]\nExecStart=/usr/bin/plexus serve\n')
  for (const end of ['-wal', '-shm']) await rm(join(place.home, `plexus.db${end}`), { force: true })
  await writeFile(join(place.home, 'plexus.db'), 'no database'.repeat(1_000))
  await chmod(join(place.home, 'operator.token'), 0o644)
  await chmod(place.home, 0o755)
  const old = await script(join(place.folder, 'claude'), 'echo "2.0.1 (Claude Code)"')
  const ill = await examined(place, { PLEXUS_PORT: port, CLAUDE_CODE_PATH: old, MAX_SESSIONS: 'many' })
  // A wrong variable takes the others out of the picture, the port too.
  expect(ill.todo).toEqual([
    'variables',
    'claude',
    'settings',
    'home',
    'home',
    'config',
    'database',
    'sessions',
    'service',
  ])
  expect(ill.of('claude')[0]).toContain(
    'is Claude Code 2.0.1, but 2.1.197 or later is needed; run "claude update".',
  )
  expect(ill.of('variables')).toEqual(['fix MAX_SESSIONS must be a whole number from 1 to 1000.'])
  expect(ill.of('config')[0]).toContain('there is no setting keep_day\\u{1b}[2J;')
  expect(ill.of('log')[0]).toMatch(/^note .*1 error of the last day\. The last: It failed\.\\u\{202e\} sk-…$/)
  expect((await examined(place, { PLEXUS_PORT: port })).of('port')[0]).toMatch(/^fix Port \d+ is taken/)

  const launcher = await examined(place, {
    CLAUDE_CODE_PATH: '',
    PATH: `${join(root, 'node_modules/.bin')}:/usr/bin:/bin`,
  })
  expect(launcher.of('claude')[0]).toMatch(
    /^fix .*launcher without its program.*CLAUDE_CODE_PATH=\/.*\/claude$/,
  )
  const missing = await examined(place, { CLAUDE_CODE_PATH: join(place.folder, 'nowhere') })
  expect(missing.of('claude')[0]).toMatch(/^fix .*nowhere does not exist; install Claude Code/)
  expect(await hubHolder(place.home)).toBeUndefined()
})
