/** `plexus terminals` as a person types it, with an empty home and no hub. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCurl } from '../../../src/setup/terminals/find-curl.ts'
import { RELAY_SCRIPT } from '../../../src/setup/terminals/relay-script.ts'
import { SESSION_MARK } from '../../../src/system/session-mark.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { programPath } from '../../rig/tools/build-programs.ts'

async function aUser() {
  const home = await temporaryFolder()
  const plexusHome = join(home, '.local/state/plexus')
  const settings = join(home, '.claude/settings.json')
  mkdirSync(join(home, '.claude'))
  const env = { PATH: '/usr/bin:/bin', HOME: home, XDG_RUNTIME_DIR: join(home, 'nothing') }
  const plexus = (args: readonly string[], more: Record<string, string> = {}) =>
    new Promise<{ stdout: string; stderr: string; exitCode: number }>((resolve) => {
      const words = [programPath('plexus'), ...args]
      const child = execFile(process.execPath, words, { env: { ...env, ...more } }, (error, stdout, stderr) =>
        resolve({ stdout, stderr, exitCode: error === null ? 0 : Number(error.code) }),
      )
      child.stdin?.end()
    })
  const terminals = (...args: readonly string[]) => plexus(['terminals', ...args])
  return { home, plexusHome, settings, plexus, terminals, relay: join(plexusHome, 'terminal-relay.sh') }
}

const BEFORE = '{\n  // mine\n  "model": "opus",\n}'

test('on shows the change, keeps a copy, and says that no hub will be there; off gives the very bytes back', async () => {
  const { settings, plexusHome, relay, terminals } = await aUser()
  writeFileSync(settings, BEFORE)
  const on = await terminals('on', '--yes')
  expect(on).toMatchObject({ exitCode: 0, stdout: '' })
  expect(on.stderr).toContain('+   "hooks": {')
  expect(on.stderr).toContain('"/bin/sh"')
  expect(on.stderr).toContain('Terminals ask the hub too from now on')
  expect(on.stderr).toContain(
    `${settings} has comments or trailing commas, and Claude Code skips such a file`,
  )
  expect(on.stderr).toContain(
    'No hub runs, so terminals ask in their own dialog only. Run: plexus service install',
  )
  expect(on.stderr).not.toContain('[y/n]')
  expect(readFileSync(`${settings}.plexus-terminals-backup`, 'utf8')).toBe(BEFORE)
  expect(readFileSync(relay, 'utf8')).toBe(RELAY_SCRIPT)
  expect(statSync(relay).mode & 0o777).toBe(0o600)
  expect(readFileSync(settings, 'utf8')).toContain(`"${join(plexusHome, 'hub.sock')}"`)
  const status = await terminals('status', '--json')
  expect(status.exitCode).toBe(0)
  expect(JSON.parse(status.stdout)).toMatchObject({ on: true, file: settings, terminals: [] })

  expect((await terminals('on', '--yes')).stderr).toContain('Terminals ask the hub already')
  const off = await terminals('off', '--yes')
  expect(off.stderr).toContain('Terminals ask in their own dialog only')
  expect(readFileSync(settings, 'utf8')).toBe(BEFORE)
  expect([relay, `${settings}.plexus-terminals-backup`].filter((path) => existsSync(path))).toEqual([])
  expect((await terminals('status')).exitCode).toBe(1)
  expect((await terminals('off', '--yes')).stderr).toContain('has no entry for this home folder')
})

test('nothing is written where nobody can be asked, by an agent, and inside a session', async () => {
  const { home, settings, plexus, terminals } = await aUser()
  writeFileSync(settings, BEFORE)
  expect((await terminals('on')).stderr).toContain('add --yes to do it')
  const byAgent = await plexus(['terminals', 'on', '--yes'], { CLAUDECODE: '1' })
  expect(byAgent.stderr).toContain('Only a person may let terminals ask the hub')
  const offByAgent = await plexus(['terminals', 'off', '--yes'], { CODEX_SANDBOX: '1' })
  expect(offByAgent.stderr).toContain('Only a person may')
  const inSession = await plexus(['terminals', 'on', '--yes'], { [SESSION_MARK]: 'x' })
  expect(inSession.stderr).toContain('This runs inside session x')
  expect([byAgent.exitCode, offByAgent.exitCode].includes(0)).toBe(false)
  expect(readFileSync(settings, 'utf8')).toBe(BEFORE)
  expect(existsSync(join(home, '.local'))).toBe(false)
  expect((await terminals('maybe')).exitCode).toBe(2)
})

test('a curl is found by its full path, and one that speaks over no unix socket is none', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'curl')
  await expect(findCurl(`${folder}:relative`, [])).rejects.toThrow('install curl and try again')
  writeFileSync(file, '#!/bin/sh\necho "Features: alt-svc"\n', { mode: 0o755 })
  await expect(findCurl(folder, [])).rejects.toThrow('install curl and try again')
  writeFileSync(file, '#!/bin/sh\necho "Features: alt-svc UnixSockets zstd"\n')
  expect(await findCurl(`relative:${folder}`, [])).toBe(file)
  expect(await findCurl(folder)).toMatch(/^(\/usr)?\/bin\/curl$/)
})

test('the settings of CLAUDE_CONFIG_DIR are changed where it is set', async () => {
  const { home, settings, plexus } = await aUser()
  const folder = join(home, 'other config')
  await plexus(['terminals', 'on', '--yes'], { CLAUDE_CONFIG_DIR: folder })
  expect(existsSync(settings)).toBe(false)
  expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toContain('PermissionRequest')
  await plexus(['terminals', 'off', '--yes'], { CLAUDE_CONFIG_DIR: folder })
  expect(existsSync(join(folder, 'settings.json'))).toBe(false)
})

test('allow rules and terminals are switched on and off on their own, in any order', async () => {
  const { settings, plexus, terminals } = await aUser()
  writeFileSync(settings, BEFORE)
  await terminals('on', '--yes')
  await plexus(['install', 'claude-code', '--allow-rules', '--yes'])
  await terminals('off', '--yes')
  expect(readFileSync(settings, 'utf8')).not.toContain('hooks')
  expect(readFileSync(settings, 'utf8')).toContain('mcp__plexus__claude_start')
  await terminals('on', '--yes')
  await plexus(['uninstall', 'claude-code', '--allow-rules', '--yes'])
  await terminals('off', '--yes')
  expect(readFileSync(settings, 'utf8')).toBe(BEFORE)
})

test('doctor and uninstall name the entry, what is missing, and what switches it off', async () => {
  const { home, settings, plexus, terminals, relay } = await aUser()
  writeFileSync(settings, '{"disableAllHooks": true}')
  const on = await terminals('on', '--yes')
  expect(on.stderr).toContain(`${settings} switches hooks off`)
  rmSync(relay)
  const findings = JSON.parse((await plexus(['doctor', '--json'])).stdout) as {
    findings: { check: string; level: string; text: string }[]
  }
  const about = (check: string) => findings.findings.filter((one) => one.check === check)
  expect(about('terminals').map(({ level, text }) => `${level} ${text}`)).toEqual([
    `fix ${settings} switches hooks off, so terminals do not ask the hub; change that setting.`,
    `fix The relay ${relay} is missing, so terminals do not ask the hub. Run: plexus terminals on`,
    'fix No hub runs, so terminals ask in their own dialog only. Run: plexus service install',
  ])
  expect(
    about('settings')
      .map(({ text }) => text)
      .join(' '),
  ).not.toContain('PermissionRequest')
  expect((await plexus(['uninstall'])).stdout).toMatch(/Terminals .*settings\.json +plexus terminals off$/m)
  const elsewhere = await plexus(['uninstall'], { PLEXUS_HOME: join(home, 'another') })
  expect(elsewhere.stdout).toContain(`plexus terminals off --home ${join(home, '.local/state/plexus')}`)
})

test('--print prints the entry and the relay, and writes nothing', async () => {
  const { home, settings, terminals } = await aUser()
  const { stdout } = await terminals('on', '--print', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ file: settings, relay: RELAY_SCRIPT })
  expect(existsSync(settings) || existsSync(join(home, '.local'))).toBe(false)
})
