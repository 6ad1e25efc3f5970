import { expect, test } from 'vitest'
import { judgeSettings } from '../../../src/setup/doctor/checks/cli-settings.ts'
import { judgeUnits, type UnitFile } from '../../../src/setup/doctor/checks/units.ts'
import { launchdAgent } from '../../../src/setup/service/launchd-agent.ts'
import { serviceSpec } from '../../../src/setup/service/service-spec.ts'
import { systemdUnit } from '../../../src/setup/service/systemd-unit.ts'

const judged = (settings: unknown, { managed = false, cli = '2.1.197' } = {}) => {
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings)
  return judgeSettings([{ file: '/s.json', managed, text }], cli).map(
    (outcome) => `${outcome.level} ${outcome.text}`,
  )
}
const FINE = ['ok No setting of Claude Code changes what a session is asked.']

test('settings that change nothing for a session are fine', () => {
  expect(judgeSettings([], undefined)).toHaveLength(1)
  expect(judged({})).toEqual(FINE)
  expect(
    judged({ permissions: { allow: ['Bash(npm test:*)', 'Read', 'mcp__plexus__claude_status'] } }),
  ).toEqual(FINE)
  expect(judged({ permissions: { defaultMode: 'plan' }, hooks: { PreToolUse: [] } })).toEqual(FINE)
  // Odd shapes are the CLI's to judge.
  expect(judged({ permissions: [], hooks: 5, env: 'x' })).toEqual(FINE)
})

test.each([['not json'], ['[]'], ['null'], ['']])('a file that is no settings file is named: %j', (text) => {
  expect(judged(text)).toEqual(['fix /s.json is not valid JSON, so its rules do not count; repair it.'])
  expect(judgeSettings([{ file: '/s.json', managed: false, text: undefined }], undefined)[0]?.level).toBe(
    'fix',
  )
})

test.each([['Bash'], ['Bash(*)'], ['Bash(:*)'], [' Bash ']])('%j lets every command run unasked', (rule) => {
  expect(judged({ permissions: { allow: ['Read', rule] } })).toEqual([
    expect.stringMatching(/^fix \/s\.json allows .*Bash.*commands run unasked/),
  ])
})

test.each([['Bash(git *)'], ['Bash(python3 *)'], ['Bash(a; b)']])('%j could run any program', (rule) => {
  expect(judged({ permissions: { allow: [rule] } })).toEqual([expect.stringMatching(/^note .*any program/)])
})

test.each([
  ['mcp__plexus'],
  ['mcp__plexus__*'],
  ['mcp__plexus__claude_respond'],
  ['mcp__plexus__loopback_respond'],
])('%j lets the model answer for its sessions', (rule) => {
  expect(judged({ permissions: { allow: [rule] } })).toEqual([
    expect.stringMatching(/^note .*nobody asks you\.$/),
  ])
})

test.each([['bypassPermissions'], ['auto'], ['acceptEdits']])(
  'the mode %s holds in terminals only',
  (defaultMode) => {
    expect(judged({ permissions: { defaultMode } })).toEqual([
      expect.stringMatching(new RegExp(`^note /s\\.json sets the mode ${defaultMode}: .*not in sessions`)),
    ])
  },
)

test('hooks: an administrator can switch ours off in an earlier CLI, a user cannot', () => {
  expect(judged({ disableAllHooks: true })).toEqual(FINE)
  expect(judged({ disableAllHooks: true }, { managed: true })).toEqual([
    expect.stringMatching(/^fix .*claude update$/),
  ])
  expect(judged({ disableAllHooks: true }, { managed: true, cli: '' })).toEqual([
    expect.stringMatching(/^fix /),
  ])
  expect(judged({ disableAllHooks: true }, { managed: true, cli: '2.1.325' })).toEqual(FINE)
  expect(judged({ allowManagedHooksOnly: true }, { managed: true })).toEqual(FINE)
})

test('a PermissionRequest hook may answer first', () => {
  expect(judged({ hooks: { PermissionRequest: [{}] } })).toEqual([
    expect.stringMatching(/^note .*--supervise writes/),
  ])
})

test('a session that leaves no transcript cannot be resumed', () => {
  expect(judged({ env: { CLAUDE_CODE_SKIP_PROMPT_HISTORY: '1' } })).toEqual([
    expect.stringMatching(/^fix .*resumed/),
  ])
})

const spec = serviceSpec({
  node: '/usr/bin/node',
  program: '/opt/plexus/dist/main.js',
  home: '/h',
  env: { PATH: '/usr/bin' },
})
const unit = (text: string, file = '/u/x.service'): UnitFile => ({ file, text })
const levels = (...files: UnitFile[]) => judgeUnits(files).map(({ level }) => level)

test('a unit that would end the sessions with the hub is named; ours is not', () => {
  expect(levels(unit(systemdUnit(spec)))).toEqual(['ok'])
  expect(levels(unit('[Service]\nExecStart=/usr/bin/plexus serve\n'))).toEqual(['fix'])
  expect(levels(unit('[Service]\nExecStart=npx plexus-mcp serve --port 1\nKillMode=mixed\n'))).toEqual([
    'fix',
  ])
  expect(
    levels(unit('[Service]\nExecStart=/usr/bin/plexus serve\nKillMode = process\n'.replace(' = ', '='))),
  ).toEqual(['ok'])
  // What systemctl edit adds counts last.
  expect(levels(unit(`${systemdUnit(spec)}\n[Service]\nKillMode=control-group\n`))).toEqual(['fix'])
  expect(judgeUnits([unit('ExecStart=/x/plexus serve')])[0]?.text).toMatch(
    /^\/u\/x\.service ends .*KillMode=process/,
  )
})

test('a unit that starts something else is none of ours', () => {
  expect(levels()).toEqual(['ok'])
  expect(
    levels(unit('[Service]\nExecStart=/usr/bin/server serve\n'), unit('# plexus serve\nExecStart=/bin/true')),
  ).toEqual(['ok'])
})

test('an agent of launchd that would end the sessions with the hub is named; ours is not', () => {
  const agent = launchdAgent(spec)
  expect(levels(unit(agent, '/a.plist'))).toEqual(['ok'])
  expect(levels(unit(agent.replace(/<key>AbandonProcessGroup<\/key>\s*<true\/>/, ''), '/a.plist'))).toEqual([
    'fix',
  ])
  expect(levels(unit('<string>serve</string>', '/a.plist'))).toEqual(['ok'])
})
