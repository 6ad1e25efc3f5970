import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { launchdAgent } from '../../../src/setup/service/launchd-agent.ts'
import { loginsLeftOut, type ServiceSpec, serviceSpec } from '../../../src/setup/service/service-spec.ts'
import { argumentWord, programWord, quoted, systemdUnit } from '../../../src/setup/service/systemd-unit.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { hasVerify } from '../../rig/tools/user-systemd.ts'

const env = { PATH: '/usr/bin:bin:/opt/a b', HOME: '/home/ann' }
const parts = { node: '/usr/bin/node', program: '/opt/plexus/dist/main.js', home: '/home/ann/state', env }
const NASTY = '/a b/%h $HOME ${X} "q" \'s\' \\n ü 漢 ;#&<>]]>'

const CHARACTERS = 'a b / = % $ " \' \\ ; # & < > { } ( ) [ ] ! * ~ ` | ü 漢 \u{1F600}'.split(' ').concat(' ')

/** Text that a path or a variable can be. */
const text = fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 1 }).map((chars) => `/${chars}`)

/** What systemd makes of a word in double quotes, by its manual: escapes, then specifiers, then variables. */
function unquoted(word: string, { variables }: { variables: boolean }): string {
  expect(word.startsWith('"') && word.endsWith('"')).toBe(true)
  const inner = word.slice(1, -1)
  expect(inner.replaceAll(/\\./gu, '')).not.toMatch(/["\\]/)
  const plain = inner.replaceAll(/\\(.)/gu, '$1')
  expect(plain.replaceAll('%%', '')).not.toContain('%')
  const specified = plain.replaceAll('%%', '%')
  if (!variables) return specified
  expect(specified.replaceAll('$$', '')).not.toContain('$')
  return specified.replaceAll('$$', '$')
}

test('a text in a unit is read by systemd as it is, whatever is in it', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(unquoted(quoted(value), { variables: false })).toBe(value)
      expect(unquoted(argumentWord(value), { variables: true })).toBe(value)
    }),
  )
})

test('a program whose path systemd refuses is named before anything is written', () => {
  expect(() => programWord("/opt/it's/node")).toThrow(
    /^systemd cannot start .*use a Node in another folder\.$/,
  )
  expect(programWord('/opt/50 %/$node')).toBe('"/opt/50 %%/$node"')
})

test('the unit ends the hub alone, starts it after a failure, and gives up after five', () => {
  const unit = systemdUnit(serviceSpec(parts))
  expect(unit).toMatch(/^KillMode=process$/m)
  expect(unit).toMatch(/^Restart=on-failure$/m)
  expect(unit).toMatch(/^StartLimitBurst=5$/m)
  expect(unit).toMatch(/^ExecStart="\/usr\/bin\/node" "\/opt\/plexus\/dist\/main.js" serve$/m)
})

test('a service has the variables that a hub needs, and none that holds a secret', () => {
  const secret = {
    ANTHROPIC_API_KEY: 'sk-ant-1',
    ANTHROPIC_AUTH_TOKEN: 't',
    GITHUB_TOKEN: 'g',
    HTTPS_PROXY: 'http://u:p@x',
  }
  const set = { MAX_SESSIONS: '3', CLAUDE_CONFIG_DIR: '/c', CLAUDE_CODE_PATH: '/x/claude', LOG_LEVEL: '' }
  const spec = serviceSpec({ ...parts, env: { ...env, ...secret, ...set } })
  expect(spec.environment).toEqual({
    PATH: '/usr/bin:/opt/a b',
    PLEXUS_HOME: '/home/ann/state',
    CLAUDE_CODE_PATH: '/x/claude',
    CLAUDE_CONFIG_DIR: '/c',
    MAX_SESSIONS: '3',
  })
  expect(loginsLeftOut({ ...env, ...secret })).toEqual(['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'])
})

test('the folder of Node is in PATH, for a claude that npm has installed', () => {
  expect(serviceSpec({ ...parts, node: '/n/bin/node' }).environment['PATH']).toBe('/usr/bin:/opt/a b:/n/bin')
})

test('what a service could not use is refused: a program of npx, a control character', () => {
  expect(() => serviceSpec({ ...parts, program: '/h/.npm/_npx/1/main.js' })).toThrow(
    'npm install -g plexus-mcp',
  )
  expect(() => serviceSpec({ ...parts, home: '/a\nExecStart=/bin/sh' })).toThrow('control character')
  expect(() => serviceSpec({ ...parts, home: '/a\uD800' })).toThrow('control character')
})

const hasPython = spawnSync('python3', ['-c', 'import plistlib']).status === 0

test.skipIf(!hasPython)('the agent of launchd is read as it was meant, whatever is in its texts', () => {
  const values = [NASTY, ...fc.sample(text, 100)]
  const environment = Object.fromEntries(values.map((value, index) => [`V${index}`, value]))
  const spec: ServiceSpec = { node: NASTY, program: values[1] ?? '', home: '/h', environment }
  const program = 'import json,plistlib,sys; json.dump(plistlib.loads(sys.stdin.buffer.read()), sys.stdout)'
  const read: unknown = JSON.parse(
    execFileSync('python3', ['-c', program], { input: launchdAgent(spec), encoding: 'utf8' }),
  )
  expect(read).toEqual({
    Label: 'plexus.hub',
    ProgramArguments: [NASTY, values[1], 'serve'],
    EnvironmentVariables: environment,
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 10,
    AbandonProcessGroup: true,
    StandardErrorPath: '/h/hub.log',
  })
})

test.skipIf(!hasVerify)('systemd-analyze finds no fault in the unit, also with odd paths', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'plexus.service')
  const runtime = join(folder, 'run')
  await mkdir(runtime, { mode: 0o700 })
  const verify = () =>
    spawnSync('systemd-analyze', ['--user', 'verify', file], {
      env: { PATH: '/usr/bin:/bin', HOME: folder, XDG_RUNTIME_DIR: runtime },
      encoding: 'utf8',
    })
  const spec = serviceSpec({ ...parts, node: process.execPath, program: `/p${NASTY}`, home: NASTY })
  await writeFile(file, systemdUnit(spec))
  expect(verify()).toMatchObject({ status: 0, stderr: '' })
  await writeFile(file, systemdUnit(spec).replace('KillMode=process', 'KillMode=nobody'))
  expect(verify().stderr).toContain('kill mode')
})
