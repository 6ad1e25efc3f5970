import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judgeCli, TRIED_CLI } from '../../../src/setup/doctor/checks/cli.ts'
import { judgeClients } from '../../../src/setup/doctor/checks/clients.ts'
import { judgeConfig } from '../../../src/setup/doctor/checks/config.ts'
import { judgeHome } from '../../../src/setup/doctor/checks/home.ts'
import { type HubFacts, judgeHub, judgePort } from '../../../src/setup/doctor/checks/hub.ts'
import { judgeLog } from '../../../src/setup/doctor/checks/log.ts'
import { judgeLogin } from '../../../src/setup/doctor/checks/login.ts'
import { judgeMachine } from '../../../src/setup/doctor/checks/machine.ts'
import { judgeRuns } from '../../../src/setup/doctor/checks/runs.ts'
import { judgeDatabase, judgeDisk } from '../../../src/setup/doctor/checks/storage.ts'
import { judgeVariables } from '../../../src/setup/doctor/checks/variables.ts'
import type { Outcome } from '../../../src/setup/doctor/checks/finding.ts'

const inWords = (outcomes: readonly Outcome[]) => outcomes.map(({ level, text }) => `${level} ${text}`)

test('the machine is named as tried only where Plexus was run', () => {
  const linux = { node: '20.20.2', platform: 'linux', arch: 'x64', isWsl: false }
  expect(inWords(judgeMachine(linux))).toEqual([
    expect.stringMatching(/^ok Node 20\.20\.2 on linux x64, .* tried on/),
  ])
  expect(inWords(judgeMachine({ ...linux, isWsl: true }))[0]).toMatch(
    /^note .* on WSL x64\. .*linux x64 only/,
  )
  expect(inWords(judgeMachine({ ...linux, platform: 'darwin', arch: 'arm64' }))[0]).toMatch(
    /^note .*darwin arm64/,
  )
})

test.each([
  ['2.1.197', /^ok Claude Code 2\.1\.197 \(tried\): \/c$/],
  ['2.1.325', /^ok .*tried/],
  ['2.1.200', /^ok .*between the tried 2\.1\.197 and 2\.1\.325/],
  ['2.2.0', /^note .*newer than 2\.1\.325/],
  ['3.0.0', /^note .*newer/],
])('Claude Code %s is named as tried or not', (version, expected) => {
  expect(inWords(judgeCli({ kind: 'found', path: '/c', version }))).toEqual([expect.stringMatching(expected)])
})

test('the versions that are named as tried are those that the tests run on', () => {
  const root = join(import.meta.dirname, '../../..')
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const [, newest] =
    /NEWEST_TRIED = '([^']+)'/.exec(readFileSync(join(root, 'scripts/cli-of-version.mjs'), 'utf8')) ?? []
  expect(TRIED_CLI).toEqual([manifest.devDependencies['@anthropic-ai/claude-code'], newest])
})

test('a missing CLI is what the hub would say of it, and a launcher without its program is a path to set', () => {
  expect(inWords(judgeCli({ kind: 'missing', sentence: 'It was not found: install it.' }))).toEqual([
    'fix It was not found: install it.',
  ])
  expect(inWords(judgeCli({ kind: 'missing', sentence: 'x', program: '/p/claude' }))[0]).toMatch(
    /^fix .*no install script\. Set CLAUDE_CODE_PATH=\/p\/claude$/,
  )
})

test('a login is a sign and no promise', () => {
  const none = { credentialsFile: false, variables: [], apiKeyHelper: false, platform: 'linux' }
  expect(inWords(judgeLogin(none))[0]).toMatch(/^fix No sign of a login/)
  expect(inWords(judgeLogin({ ...none, platform: 'darwin' }))[0]).toMatch(/^note .*keychain/)
  expect(inWords(judgeLogin({ ...none, credentialsFile: true, variables: ['ANTHROPIC_API_KEY'] }))[0]).toBe(
    'ok Signs of a login of Claude Code: a credentials file, ANTHROPIC_API_KEY. Only a session shows if it is valid.',
  )
  expect(inWords(judgeLogin({ ...none, apiKeyHelper: true }))[0]).toMatch(/^ok .*apiKeyHelper/)
})

test('the home folder is yours alone, or there is one thing to do for each that is not', () => {
  const home = { path: '/h', exists: true, mode: 0o700, exposed: [] }
  expect(inWords(judgeHome(home))).toEqual(['ok /h is yours alone.'])
  expect(inWords(judgeHome({ ...home, exists: false }))).toEqual([
    'ok /h is not there yet; the first hub makes it.',
  ])
  expect(inWords(judgeHome({ ...home, mode: 0o755, exposed: ['/h/operator.token'] }))).toEqual([
    'fix /h can be read by others (mode 755). Run: chmod 700 /h',
    expect.stringMatching(/^fix \/h\/operator\.token could be read by others .*Remove it/),
  ])
  expect(inWords(judgeHome({ ...home, problem: 'It is not yours; choose another.' }))).toEqual([
    'fix It is not yours; choose another.',
  ])
})

const record = { url: 'http://127.0.0.1:4445', version: '1.0.0', background: true }
const running: HubFacts = {
  version: '1.0.0',
  pid: 42,
  record,
  answers: true,
  since: '2026-11-17 10:00',
  service: { installed: false },
  port: 4445,
  portIsFree: false,
}
const { pid: _pid, record: _record, ...stopped } = { ...running, answers: false, portIsFree: true }

test.each<[string, HubFacts, RegExp]>([
  ['none runs', stopped, /^ok No hub runs/],
  [
    'none runs though it is a service',
    { ...stopped, service: { installed: true } },
    /^fix .*plexus service status$/,
  ],
  ['it starts', { ...stopped, pid: 42 }, /^note The process 42 .*not ready/],
  ['it hangs', { ...running, answers: false }, /^fix The hub \(pid 42\) does not answer.*kill -9 42/],
  [
    'in the background',
    running,
    /^ok A hub runs in the background \(pid 42, since 2026-11-17 10:00\), version 1\.0\.0\.$/,
  ],
  ['in a terminal', { ...running, record: { ...record, background: false } }, /^ok A hub runs in a terminal/],
  ['as a service', { ...running, service: { installed: true, pid: 42 } }, /^ok A hub runs as a service/],
  [
    'beside its service',
    { ...running, service: { installed: true, pid: 7 } },
    /^fix .*not the installed service/,
  ],
  ['older', { ...running, version: '1.0.1' }, /^note .*older than this 1\.0\.1/],
  ['newer', { ...running, version: '0.9.0' }, /^note .*newer than this 0\.9\.0; update/],
])('the hub: %s', (_, facts, expected) => {
  expect(inWords(judgeHub(facts))).toEqual([expect.stringMatching(expected)])
})

test.each<[string, HubFacts, RegExp]>([
  ['the hub has it', running, /^ok The hub listens on port 4445\.$/],
  ['it is free', stopped, /^ok Port 4445 is free\.$/],
  ['any will do', { ...stopped, port: 0 }, /^ok Any free port/],
  [
    'a stranger has it',
    { ...stopped, portIsFree: false },
    /^fix Port 4445 is taken by another program.*no client a token/,
  ],
  ['a stranger has it, and our hub another', { ...running, port: 5000 }, /^fix Port 5000 is taken/],
  [
    'our hub has another',
    { ...running, port: 5000, portIsFree: true },
    /^note The hub listens on port 4445 and not on 5000/,
  ],
])('the port: %s', (_, facts, expected) => {
  expect(inWords(judgePort(facts))).toEqual([expect.stringMatching(expected)])
})

test('processes of sessions are counted, and those without a hub are named', () => {
  const run = { childLives: true, keeperLives: true }
  const bytes = 300 * 2 ** 20
  expect(inWords(judgeRuns({ hubRuns: false, runs: [{ ...run, childLives: false }] }))[0]).toMatch(
    /^ok No Claude/,
  )
  expect(inWords(judgeRuns({ hubRuns: true, runs: [run, run], bytes }))[0]).toMatch(
    /^ok 2 live processes of sessions, 300 MB of memory in all\./,
  )
  expect(inWords(judgeRuns({ hubRuns: false, runs: [run], bytes }))[0]).toMatch(
    /^fix 1 live process of sessions without a hub, 300 MB .*plexus serve$/,
  )
  expect(inWords(judgeRuns({ hubRuns: true, runs: [{ ...run, keeperLives: false }] }))).toEqual([
    expect.stringMatching(/^ok 1 live process of sessions\./),
    expect.stringMatching(/^fix 1 session lost/),
  ])
})

test('the database is sound, or the sentence about it is what a hub would say', () => {
  const facts = { path: '/h/plexus.db', freeBytes: 2 ** 40, minFreeBytes: 64 * 2 ** 20 }
  const bytes = 5 * 2 ** 20
  expect(inWords(judgeDatabase(facts))).toEqual(['ok There is no database yet; the first hub makes it.'])
  expect(inWords(judgeDatabase({ ...facts, database: { bytes, checked: true } }))).toEqual([
    'ok /h/plexus.db is sound (5 MB).',
  ])
  expect(inWords(judgeDatabase({ ...facts, database: { bytes, checked: false } }))[0]).toMatch(
    /^ok .*too large/,
  )
  expect(
    inWords(judgeDatabase({ ...facts, database: { bytes, checked: true, problem: 'Damaged; move it.' } })),
  ).toEqual(['fix Damaged; move it.'])
})

test.each([
  [2 ** 40, /^ok 1024\.0 GB are free/],
  [500 * 2 ** 20, /^note 500 MB are free .*below 64 MB no turn begins/],
  [63 * 2 ** 20, /^fix 63 MB are free .*storage_full.*free some space/],
])('a disk with %i bytes', (freeBytes, expected) => {
  expect(inWords(judgeDisk({ path: '/d', freeBytes, minFreeBytes: 64 * 2 ** 20 }))[0]).toMatch(expected)
})

const NOW = Date.parse('2026-11-17T12:00:00Z')
const line = (fields: object) =>
  JSON.stringify({ time: '2026-11-17T11:00:00Z', level: 'error', message: 'It failed.', ...fields })

test('the log: errors of the last day are counted, and the last is shown without a secret', () => {
  const text = [
    line({ time: '2026-11-10T11:00:00Z', message: 'Long ago.' }),
    line({ level: 'info', message: 'Nothing.' }),
    'plexus: not JSON {',
    'null',
    line({}),
    line({ message: 'The hub did not end cleanly.', error: { message: 'Bearer abcdefghijkl is refused.' } }),
    '{"cut',
  ].join('\n')
  expect(inWords(judgeLog({ path: '/h/hub.log', text, now: NOW }))).toEqual([
    'note /h/hub.log has 2 errors of the last day. The last: The hub did not end cleanly. Bearer … is refused.',
  ])
  expect(inWords(judgeLog({ path: '/h/hub.log', text: '', now: NOW }))).toEqual([
    'ok /h/hub.log has no error of the last day.',
  ])
})

test('a stack in the log is its first line, and a long one is cut', () => {
  const text = line({ error: 'Error: no\n    at file.js' }) + '\n' + line({ error: 'x '.repeat(500) })
  const [outcome] = judgeLog({ path: '/l', text, now: NOW })
  expect(outcome?.text.length).toBeLessThan(400)
  expect(inWords(judgeLog({ path: '/l', text: text.split('\n')[0] ?? '', now: NOW }))[0]).toMatch(
    /It failed\. Error: no$/,
  )
})

test('config.json: valid, absent, or why no hub starts with it', () => {
  expect(inWords(judgeConfig({ path: '/c', exists: false }))[0]).toMatch(/^ok There is no config\.json/)
  expect(inWords(judgeConfig({ path: '/c', exists: true }))).toEqual(['ok /c is valid.'])
  expect(inWords(judgeConfig({ path: '/c', exists: true, problem: '/c: it is not JSON.' }))).toEqual([
    'fix No hub starts with it: /c: it is not JSON.',
  ])
})

test('variables: a wrong one must be set right, one of the CLI is worth knowing', () => {
  expect(inWords(judgeVariables({}, undefined, undefined))).toEqual(['ok No variable gets in the way.'])
  expect(inWords(judgeVariables({ CLAUDE_CODE_SIMPLE: '1' }, 'PORT must be a number.', 'id'))).toEqual([
    'fix PORT must be a number.',
    expect.stringMatching(/^note This runs inside a session/),
    expect.stringMatching(/^note CLAUDE_CODE_SIMPLE is set and switches off hooks/),
  ])
})

test('clients: those that have Plexus, those that start another program, and files that are broken', () => {
  const client = { client: 'cursor', file: '/c.json', state: 'configured' } as const
  expect(inWords(judgeClients([]))[0]).toMatch(/^note No MCP client/)
  expect(inWords(judgeClients([client, { ...client, client: 'codex', state: 'absent' }]))).toEqual([
    'ok Plexus is a server of cursor.',
  ])
  expect(
    inWords(judgeClients([client, { ...client, state: 'other' }, { ...client, state: 'unreadable' }])),
  ).toEqual([
    'ok Plexus is a server of cursor.',
    expect.stringMatching(/^note In \/c\.json .*plexus install cursor/),
    'fix /c.json cannot be read or is not valid; repair it.',
  ])
})
