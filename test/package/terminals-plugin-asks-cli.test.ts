/** The plugin for terminals as a person installs it, in a real terminal, with a real hub in the default home folder. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTerminalsPlugin } from '../../scripts/bundles.mjs'
import { marketplaceManifest } from '../../scripts/bundles/manifests.mjs'
import { say as reply, tools, use } from '../../src/demo/scenario.ts'
import { acquaint } from '../rig/cli/acquainted.ts'
import { cliPath } from '../rig/cli/real-cli.ts'
import { plexusAt } from '../rig/clients/plexus-command.ts'
import { hubPlace } from '../rig/hubs/hub.ts'
import { projectSettings } from '../rig/terminals/project-settings.ts'
import { chooseThere, PROCEED, say } from '../rig/terminals/terminal-keys.ts'
import { questions, sessionsOf, theQuestion } from '../rig/terminals/terminal-questions.ts'
import { programPath } from '../rig/tools/build-programs.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { hasTerminal, openTerminal } from '../rig/tools/terminal.ts'

/** The plugin finds the home folder by the list of users, and not by HOME: it gets a list of its own. */
const mayMount = spawnSync('unshare', ['-rm', 'true']).status === 0
const WITH_USERS = ['unshare', '-rm', 'sh', '-c', 'mount --bind "$0" /etc/passwd && exec "$@"']

const isPossible = hasTerminal && mayMount && process.platform === 'linux'

test.runIf(isPossible)(
  'a terminal with the plugin asks the hub of the default home folder beside its own dialog',
  { timeout: 60_000 },
  async () => {
    const { place, hub, begin } = await withPlugin()
    const terminal = await begin()
    const asked = await theQuestion(hub)
    expect(asked).toMatchObject({ carrier: 'terminal', toolName: 'Bash' })
    await terminal.sees(PROCEED)
    await hub.call('answer', { approvalId: asked.id, approve: true })
    await terminal.sees('all done')
    expect(existsSync(join(place.project, 'made'))).toBe(true)
  },
)

test.runIf(isPossible)(
  'a trusted project that switches the plugin off is seen to wait, and is answered there',
  { timeout: 60_000 },
  async () => {
    const { place, hub, begin } = await withPlugin()
    await projectSettings(place, { enabledPlugins: { 'plexus-terminals@plexus': false } })
    const terminal = await begin()
    await terminal.sees(PROCEED)
    await eventually(async () => expect((await sessionsOf(hub))[0]).toMatchObject({ status: 'waiting' }))
    expect((await plexusAt(place)('pending')).stdout).toContain('answer it there')
    expect(await questions(hub, 0)).toEqual([])
    await chooseThere(terminal, 'Yes')
    await terminal.sees('all done')
    expect(existsSync(join(place.project, 'made'))).toBe(true)
    await eventually(async () => expect((await sessionsOf(hub))[0]).toMatchObject({ status: 'idle' }))
    expect(await hub.call<object[]>('decisions')).toEqual([])
  },
)

/** A hub in the default home folder of a user who has installed the plugin. */
async function withPlugin() {
  const place = await hubPlace({
    scenario: { main: [tools(use('Bash', { command: 'mkdir made' })), reply('all done')] },
  })
  await acquaint(join(place.folder, 'config'), place.project)
  const users = join(place.folder, 'users')
  writeFileSync(users, `root:x:0:0::${place.folder}:/bin/sh\n`)
  mkdirSync(join(place.folder, '.local/state'), { recursive: true })
  symlinkSync(place.home, join(place.folder, '.local/state/plexus'))

  const market = join(place.folder, 'market')
  makeTerminalsPlugin(join(market, 'plexus-terminals'), programPath('plexus'))
  mkdirSync(join(market, '.claude-plugin'))
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as object
  writeFileSync(
    join(market, '.claude-plugin/marketplace.json'),
    JSON.stringify(marketplaceManifest(manifest)),
  )
  for (const args of [
    ['marketplace', 'add', market],
    ['install', 'plexus-terminals@plexus'],
  ])
    execFileSync(cliPath(), ['plugin', ...args], { env: place.env })

  const hub = await place.start()
  const begin = async () => {
    const terminal = await openTerminal([...WITH_USERS, users, cliPath(), '--permission-mode=default'], {
      env: { ...place.env, LANG: 'C.UTF-8' },
      cwd: place.project,
      columns: 120,
      rows: 40,
    })
    await terminal.sees('❯')
    await say(terminal, 'begin')
    return terminal
  }
  return { place, hub, begin }
}
