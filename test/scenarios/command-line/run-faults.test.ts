/** A claude of plexus run that fails, is ended, or is run again under the same name. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { beginPlexusAt, plexusAt, type Typed } from '../../rig/clients/plexus-command.ts'
import { type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'
import { eventually } from '../../rig/tools/eventually.ts'

const bash = (command: string) => tools(use('Bash', { command }))

interface Listed {
  readonly id: string
  readonly name?: string
  readonly state: string
  readonly status: string
  readonly outside?: { readonly pid: number }
}

function at(place: HubPlace) {
  const plexus = plexusAt(place)
  const listed = async () =>
    (JSON.parse((await plexus('ls', '--all', '--json')).stdout) as { sessions: Listed[] }).sessions
  const nightly = async () => (await listed()).find(({ name }) => name === 'nightly')
  return {
    plexus,
    listed,
    nightly,
    asking: () =>
      eventually(async () => {
        const session = await nightly()
        expect(session).toMatchObject({ state: 'needs you' })
        return session?.outside?.pid ?? 0
      }),
    run: (...args: readonly string[]) => beginPlexusAt(place)('run', '--name', 'nightly', '--', ...args),
  }
}

test('a name is used again once its session has ended, and the earlier one keeps its record', async () => {
  const place = await hubPlace({ scenario: { main: [say('Good morning')] } })
  const { run, plexus, listed } = at(place)
  for (const night of [1, 2]) {
    expect(await run('-p', 'Look').ended).toEqual({ exitCode: 0, stdout: 'Good morning\n', stderr: '' })
    expect((await listed()).filter(({ name }) => name === 'nightly')).toHaveLength(1)
    expect(await listed()).toHaveLength(night)
  }
  const [earlier] = (await listed()).filter(({ name }) => name === undefined)
  expect((await plexus('logs', earlier?.id ?? '')).stdout).toContain('~ ended\n')
  // The exit code is that of the CLI, and what it did not like is its own to say.
  const failed = await run('-p', 'Look', '--resume', '00000000-0000-4000-8000-000000000000').ended
  expect(failed).toMatchObject({ exitCode: 1 })
  expect(failed.stderr + failed.stdout).toContain('No conversation found')
  expect((await listed()).find(({ name }) => name === 'nightly')).toMatchObject({
    state: 'ended',
    status: 'failed',
  })
})

test('while it runs its name is taken; a signal to plexus run reaches the CLI, and its questions are withdrawn', async () => {
  const place = await hubPlace({ scenario: { main: [bash('touch it'), say('over')] } })
  const { run, plexus, asking, nightly } = at(place)
  const first = run('-p', 'Touch it')
  await asking()
  expect(await run('-p', 'Touch it').ended).toMatchObject({ exitCode: 1 })
  process.kill(first.pid, 'SIGTERM')
  expect(await first.ended).toMatchObject({ exitCode: 143 })
  expect(await nightly()).toMatchObject({ state: 'ended', status: 'interrupted' })
  expect((await plexus('pending', '-q')).stdout).toBe('')
})

test.each(['SIGKILL', 'SIGINT'] as const)(
  '%s to the CLI ends plexus run, with its exit code',
  async (signal) => {
    const place = await hubPlace({ scenario: { main: [bash('touch it'), say('over')] } })
    const { run, asking, nightly } = at(place)
    const first = run('-p', 'Touch it')
    process.kill(await asking(), signal)
    const { exitCode }: Typed = await first.ended
    expect(exitCode).toBe(signal === 'SIGKILL' ? 137 : 0)
    expect(await nightly()).toMatchObject({ state: 'ended' })
  },
)

test('if plexus run is killed, its CLI is supervised to its end, and then the session has ended', async () => {
  const place = await hubPlace({ scenario: { main: [bash('touch it'), say('over')] } })
  const { run, plexus, asking, nightly } = at(place)
  const { pid } = run('-p', 'Touch it')
  const cli = await asking()
  process.kill(pid, 'SIGKILL')
  expect(await nightly()).toMatchObject({ state: 'needs you' })
  process.kill(cli, 'SIGKILL')
  await eventually(async () =>
    expect(await nightly()).toMatchObject({ state: 'ended', status: 'interrupted' }),
  )
  expect((await plexus('logs', 'nightly')).stdout).toContain('~ its process has gone\n')
})

test('the name of a session whose processes were all killed can be used at once', async () => {
  const place = await hubPlace({ scenario: { main: [bash('touch it'), say('over')] } })
  const { run, plexus, asking, listed } = at(place)
  const { pid } = run('-p', 'Touch it')
  for (const each of [pid, await asking()]) process.kill(each, 'SIGKILL')
  const next = run('-p', 'Touch it')
  await eventually(async () => expect(await listed()).toHaveLength(2))
  await asking()
  await plexus('allow', 'nightly')
  expect(await next.ended).toMatchObject({ exitCode: 0, stdout: 'over\n' })
})

test('no setting and no variable of its user switches the hook off, nor chooses a mode that asks nothing', async () => {
  const env = { CLAUDE_CODE_SAFE_MODE: '1', CLAUDE_CODE_SIMPLE: '1' }
  const place = await hubPlace({ scenario: { main: [bash('ls'), bash('touch it'), say('over')] } })
  await mkdir(join(place.folder, 'config'))
  const settings = {
    disableAllHooks: true,
    permissions: { defaultMode: 'acceptEdits' },
    env: { CLAUDE_CODE_SAFE_MODE: '1', CLAUDE_CODE_SIMPLE: '1' },
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: `echo '${ALLOWS}'` }] }] },
  }
  await writeFile(join(place.folder, 'config/settings.json'), JSON.stringify(settings))
  const { plexus, asking } = at(place)
  const first = beginPlexusAt(place, env)('run', '--name', 'nightly', '--', '-p', 'Touch it')
  await asking()
  expect((await plexus('logs', 'nightly')).stdout).toContain('* Bash ls\n* Bash touch it\n? asks about')
  await plexus('deny', 'nightly')
  expect(await first.ended).toMatchObject({ exitCode: 0 })
})

const ALLOWS = JSON.stringify({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
})

test('a call is refused, by exit code 2, when its token is unknown or gone', async () => {
  const place = await hubPlace({ scenario: { main: [bash('ls'), say('over')] } })
  const { run, plexus, nightly } = at(place)
  const first = run('-p', 'Look')
  const { id } = await eventually(async () => {
    const session = await nightly()
    expect(session).toMatchObject({ state: 'running' })
    return session ?? { id: '' }
  })
  const file = join(place.home, 'runs', `outside-${id}`, 'mcp.json')
  const kept = await readFile(file, 'utf8')
  await first.ended
  // Its token is worth nothing any more.
  await writeFile(join(place.folder, 'kept.json'), kept, { mode: 0o600 })
  expect(await plexus('relay', '--judge', join(place.folder, 'kept.json'))).toMatchObject(REFUSED)
  expect(await plexus('relay', '--judge', file)).toMatchObject(REFUSED)
})

const REFUSED = {
  exitCode: 2,
  stdout: '',
  stderr: 'Plexus could not be asked about this call, so it is refused.\n',
}
