/** A claude of one's own, started by plexus run, with the real CLI. */
import { access, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { beginPlexusAt, plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { eventually } from '../../rig/tools/eventually.ts'

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const bash = (command: string) => tools(use('Bash', { command }))

interface Shown {
  readonly session: { readonly id: string; readonly outside?: { readonly to: string; readonly pid: number } }
}

test('S23: each call of a claude of plexus run is judged, and asked about where it must be; its output is its own', async () => {
  const main = [bash('ls'), bash('echo x > one'), bash('echo x > two'), say('All over')]
  const place = await hubPlace({ scenario: { main } })
  const [plexus, begin] = [plexusAt(place), beginPlexusAt(place)]
  const nightly = begin('run', '--name', 'nightly', '--', '-p', 'Make both')
  await eventually(async () =>
    expect(await plexus('wait', 'nightly')).toMatchObject({
      exitCode: 3,
      stdout: 'nightly.1  nightly wants to run: echo x > one\n',
    }),
  )
  const { session } = JSON.parse((await plexus('show', 'nightly', '--json')).stdout) as Shown
  expect(session.outside).toMatchObject({ to: 'command' })
  // Its token is in a private file, and not where every user of the machine can read it.
  const file = join(place.home, 'runs', `outside-${session.id}`, 'mcp.json')
  const [, token = ''] = /"PLEXUS_RELAY_TOKEN":"([^"]{30,})"/.exec(await readFile(file, 'utf8')) ?? []
  expect(token).not.toBe('')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  for (const part of ['cmdline', 'environ'])
    expect(await readFile(`/proc/${session.outside?.pid}/${part}`, 'utf8')).not.toContain(token)
  // Nothing can be said to it, and nobody but the person who started it ends it.
  expect((await plexus('say', 'nightly', 'More')).stderr).toMatch(
    /^plexus: A claude of plexus run has this session/,
  )
  expect(await plexus('stop', 'nightly')).toMatchObject({ exitCode: 1 })

  await plexus('allow', 'nightly.1')
  expect(await plexus('wait', 'nightly')).toMatchObject({ exitCode: 3 })
  await plexus('deny', 'nightly.2', '-m', 'Not that')
  expect(await nightly.ended).toEqual({ exitCode: 0, stdout: 'All over\n', stderr: '' })
  expect([await exists(join(place.project, 'one')), await exists(join(place.project, 'two'))]).toEqual([
    true,
    false,
  ])
  expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('Not that')
  expect((await plexus('logs', 'nightly')).stdout).toMatch(
    /^~ your claude runs \(pid \d+\).*\n\* Bash ls\n\* Bash echo x > one\n\? asks about Bash echo x > one\n= allowed by operator\n/,
  )
  expect((await plexus('ls', '--all')).stdout).toMatch(/\nnightly +ended /)
  expect(await exists(file)).toBe(false)

  // The conversation is the session's: it can be continued here.
  expect(await plexus('say', 'nightly', 'And now?')).toMatchObject({ exitCode: 0 })
  expect(await plexus('wait', 'nightly')).toMatchObject({ exitCode: 0 })
  expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('Make both')
})

test('what would switch supervision off is refused before anything starts, and so is an interactive claude without a terminal', async () => {
  const place = await hubPlace()
  const plexus = plexusAt(place)
  expect(await plexus('run', '--', '-p', 'x', '--dangerously-skip-permissions')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'plexus: plexus run does not take --dangerously-skip-permissions: it would run things without a question.\n',
  })
  const servers = JSON.stringify({ mcpServers: { Plexus: { command: 'x' } } })
  const named = await plexus('run', '--', '-p', 'x', '--mcp-config', servers)
  expect(named).toMatchObject({ exitCode: 2 })
  expect(named.stderr).toContain('--mcp-config with a server named plexus')
  const interactive = await plexus('run', '--name', 'chat')
  expect(interactive).toMatchObject({ exitCode: 2, stdout: '' })
  expect(interactive.stderr).toContain('which needs a terminal')
  expect(await place.running()).toBeUndefined()
})
