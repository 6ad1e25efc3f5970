import { expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { initialize } from '../../../src/child/lines/stdin-messages.ts'
import type { HubEnvironment } from '../../../src/sessions/launch/hub-environment.ts'
import { launchSpec, type LaunchNeeds } from '../../../src/sessions/launch/launch-spec.ts'
import { initialSessionState, type SessionState } from '../../../src/sessions/record/session-state.ts'
import { aSession, RUN } from '../../contracts/rows.ts'

const ID = '3f1b6a52-9d55-4c1e-8f0e-1f6a7d1c2b3a'
const HUB = 'http://127.0.0.1:4445/mcp'
const PERMIT = { url: `${HUB}/child`, token: 'secret' }
const hub: HubEnvironment = {
  home: '/home/plexus',
  env: { PATH: '/bin', PLEXUS_HOME: '/home/plexus' },
  leaseSeconds: 60,
  trusted: () => [],
  findCli: () => Promise.reject(new Error('not needed')),
  transcriptOf: async () => undefined,
  openElsewhere: async () => undefined,
  onError: () => {},
}

interface Given {
  readonly options?: object
  readonly state?: Partial<SessionState>
  readonly needs?: Partial<LaunchNeeds>
  readonly hub?: Partial<HubEnvironment>
}

function specOf({ options = {}, state = {}, needs = {}, hub: more = {} }: Given = {}) {
  const all: LaunchNeeds = {
    session: aSession({ id: ID, config: StartOptions.parse(options) }),
    state: { ...initialSessionState, ...state },
    run: RUN,
    start: { kind: 'new' },
    permit: undefined,
    cli: { path: '/bin/claude', version: '2.1.197' },
    trusted: false,
    ...needs,
  }
  return launchSpec(all, { ...hub, ...more })
}

const flags = (name: string, given: Given) =>
  specOf(given)
    .args.filter((arg) => arg.startsWith(`--${name}=`))
    .map((arg) => arg.slice(name.length + 3))

const settings = (given: Given = {}) => JSON.parse(flags('settings', given)[0] ?? '') as object

test('a child of a session without options', () => {
  const spec = specOf()
  expect(spec).toMatchObject({
    sessionId: ID,
    runPath: RUN.folder,
    cli: '/bin/claude',
    workingDirectory: '/project',
    leaseSeconds: 60,
    files: {},
    messages: [initialize(60, {})],
    env: { PATH: '/bin', LOOPBACK_SESSION_ID: ID, CLAUDE_CODE_DISABLE_CRON: '1' },
  })
  expect(spec.env).not.toHaveProperty('PLEXUS_HOME')
  expect(spec.args).toContain(`--session-id=${ID}`)
  expect(spec.args).toContain('--setting-sources=user')
  expect(spec.args.join()).not.toContain('--mcp-config')
})

test('what a caller gives for the child itself reaches it', () => {
  const agents = { a: { description: 'd', prompt: 'p' } }
  const spec = specOf({ options: { systemPrompt: 'be kind', agents, env: { A: 'b' } } })
  expect(spec.messages).toEqual([initialize(60, { appendSystemPrompt: 'be kind', agents })])
  expect(spec.env).toMatchObject({ A: 'b' })
})

test('the variables that only we set are in the settings too, and depend on trust and version', () => {
  const git = 'CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS'
  expect(settings()).toMatchObject({ env: { CLAUDE_CODE_DISABLE_CRON: '1', [git]: '1' } })
  const newer = { cli: { path: '/bin/claude', version: '2.1.325' } }
  for (const needs of [{ trusted: true }, newer])
    expect(settings({ needs })).not.toMatchObject({ env: { [git]: '1' } })
  expect(specOf({ needs: { trusted: true } }).args).toContain('--setting-sources=user,project,local')
  expect(settings({ options: { supervise: 'all' } })).toHaveProperty('disableAllHooks', true)
})

const server = { command: 'x' }

test.each<[string, Given, object | undefined]>([
  ['nothing', {}, undefined],
  ['servers of the caller', { options: { mcpServers: { a: server } } }, { a: server }],
  [
    'our server',
    { needs: { permit: PERMIT } },
    { plexus: { type: 'http', url: PERMIT.url, headers: { Authorization: 'Bearer secret' } } },
  ],
])('the private file with %s, and its flag', (_, given, servers) => {
  const { files, args } = specOf(given)
  expect(files).toEqual(servers ? { 'mcp.json': JSON.stringify({ mcpServers: servers }) } : {})
  expect(args.includes('--mcp-config=/runs/r1/mcp.json')).toBe(servers !== undefined)
  expect(args.join()).not.toContain('secret')
})

test('a child has our server only as we give it, and no other server at the address of the hub', () => {
  const permitUrl = () => HUB
  const address = { serverUrl: HUB }
  expect(settings()).toMatchObject({ deniedMcpServers: [{ serverName: 'plexus' }] })
  const without = settings({ hub: { permitUrl } })
  expect(without).toHaveProperty(
    'deniedMcpServers',
    expect.arrayContaining([{ serverName: 'plexus' }, address]),
  )
  const having = settings({ hub: { permitUrl }, needs: { permit: PERMIT } })
  expect(having).toHaveProperty('deniedMcpServers.0', address)
})

test('a nested child needs no answer for our own tools', () => {
  const nestedTools = [{ name: 'start', readOnly: false }]
  const given = { options: { nested: true }, needs: { permit: PERMIT }, hub: { nestedTools } }
  expect(flags('allowedTools', given)).toEqual(['mcp__plexus__start'])
  expect(flags('allowedTools', { hub: { nestedTools } })).toEqual([])
})

test.each<[string, string | undefined, string[]]>([
  ['default', undefined, ['default']],
  ['default', 'plan', ['plan']],
  ['plan', 'default', ['default']],
  ['acceptEdits', 'a mode of a later version', ['acceptEdits']],
  ['cli', 'plan', []],
])('started with the mode %s and now in %s, the next process has %j', (permissionMode, now, expected) => {
  expect(flags('permission-mode', { options: { permissionMode }, state: { permissionMode: now } })).toEqual(
    expected,
  )
})

test('the next process has the model that was chosen', () => {
  const options = { model: 'sonnet', allowedTools: ['Read', 'Write'] }
  expect(flags('model', { options })).toEqual(['sonnet'])
  expect(flags('model', { options, state: { chosenModel: 'opus' } })).toEqual(['opus'])
  expect(flags('allowedTools', { options })).toEqual(['Read', 'Write'])
})
