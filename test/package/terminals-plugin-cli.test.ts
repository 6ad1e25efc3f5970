/** The plugin for terminals, made as `npm run bundles` makes it, and judged by the real CLI. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTerminalsPlugin } from '../../scripts/bundles.mjs'
import { RELAY_SCRIPT } from '../../src/setup/terminals/relay-script.ts'
import { cleanEnvironment, cliPath, temporaryFolder } from '../rig/cli/real-cli.ts'
import { programPath } from '../rig/tools/build-programs.ts'

test('the CLI finds no fault with the plugin for terminals, which has the relay of this program', async () => {
  const home = await temporaryFolder()
  const plugin = join(home, 'plexus-terminals')
  makeTerminalsPlugin(plugin, programPath('plexus'))
  expect(readFileSync(join(plugin, 'bin/terminal-relay.sh'), 'utf8')).toBe(RELAY_SCRIPT)
  expect(statSync(join(plugin, 'bin/ask')).mode & 0o111).toBe(0o111)
  const env = cleanEnvironment(home, 'http://127.0.0.1:9')
  const said = execFileSync(cliPath(), ['plugin', 'validate', '--strict', plugin], { env, encoding: 'utf8' })
  expect(said).toContain('Validation passed')
})

test('its script is silent where the user has no hub, and no variable leads it to another', async () => {
  const home = await temporaryFolder()
  const plugin = join(home, 'plexus-terminals')
  makeTerminalsPlugin(plugin, programPath('plexus'))
  const trap = join(home, 'trap')
  const env = { HOME: home, PATH: home, PLEXUS_HOME: home, XDG_STATE_HOME: home, TRAP: trap }
  const { status, stdout, stderr } = spawnSync(join(plugin, 'bin/ask'), ['terminal'], {
    env,
    input: '{}',
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(existsSync(trap)).toBe(false)
})
