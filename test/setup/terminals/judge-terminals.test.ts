import { expect, test } from 'vitest'
import { judgeTerminals, type TerminalsFacts } from '../../../src/setup/terminals/judge-terminals.ts'
import type { TerminalsState } from '../../../src/setup/terminals/terminals-state.ts'

const HOOK = {
  relay: '/h/terminal-relay.sh',
  socket: '/h/hub.sock',
  curl: '/usr/bin/curl',
  place: [0, 0] as const,
  isAlone: true,
  isCurrent: true,
}
const ON: TerminalsState = { file: '/c/settings.json', hook: HOOK, relay: 'current', hasCurl: true }
const WELL: TerminalsFacts = {
  state: ON,
  hub: { answers: true, isService: true },
  cliVersion: '2.1.197',
}

const judged = (state: Partial<TerminalsState>, more: Partial<TerminalsFacts> = {}) =>
  judgeTerminals({ ...WELL, ...more, state: { ...ON, ...state } }).map(
    ({ level, text }) => `${level} ${text}`,
  )

test('all is well with the entry, the relay, a service and a tried version; the plugin is as good', () => {
  expect(judged({})).toEqual(['ok Terminals ask the hub too (/c/settings.json).'])
  expect(judged({ hook: undefined, plugin: 'plexus-terminals@plexus' })).toEqual([
    'ok Terminals ask the hub too (plexus-terminals@plexus).',
  ])
})

test('terminals that were never switched on need no hub', () => {
  const off = { hook: undefined, relay: 'missing' } as const
  expect(judged(off, { hub: { answers: false, isService: false }, cliVersion: '9.0.0' })).toEqual([
    'ok Terminals do not ask the hub; plexus terminals on lets them.',
  ])
  expect(judged({ ...off, otherRelay: '/o/terminal-relay.sh' })).toEqual([
    expect.stringMatching(/^note .*another home folder: terminals ask the hub of \/o\//),
  ])
})

test.each<[string, Partial<TerminalsState>, Partial<TerminalsFacts>, RegExp]>([
  ['hooks that are off', { hooksOffIn: '/m/managed.json' }, {}, /^fix \/m\/managed\.json switches hooks off/],
  ['a file with comments', { isSkipped: true }, {}, /^fix \/c\/settings\.json has comments .* plain JSON\.$/],
  ['a relay that is missing', { relay: 'missing' }, {}, /^fix The relay \/h\/terminal-relay\.sh is missing/],
  ['a relay of another version', { relay: 'other' }, {}, /^note The relay .* another version/],
  ['an older entry', { hook: { ...HOOK, isCurrent: false } }, {}, /^note The relay .* another version/],
  ['a curl that is gone', { hasCurl: false }, {}, /^fix \/usr\/bin\/curl is missing/],
  ['entry and plugin', { plugin: 'plexus-terminals@x' }, {}, /^fix The plugin .* twice/],
  ['no hub', {}, { hub: { answers: false, isService: false } }, /^fix No hub runs.*plexus service install$/],
  [
    'a hub that is stuck',
    {},
    { hub: { answers: false, pid: 77, isService: false } },
    /^fix (?!.*No hub runs).*The hub \(pid 77\) does not answer\. kill -9 77/,
  ],
  ['a service that is down', {}, { hub: { answers: false, isService: true } }, /^fix .*service status$/],
  ['a hub that will end', {}, { hub: { answers: true, isService: false } }, /^note .*no service keeps it/],
  ['a version that was not tried', {}, { cliVersion: '2.1.400' }, /^note .*2\.1\.400.* was not tried/],
  ['a version that holds nothing', {}, { cliVersion: '2.0.1' }, /^note .*2\.0\.1 are not held/],
  ['settings that cannot be read', { problem: 'line 3' }, {}, /^note .*not known: line 3$/],
])('%s: one sentence', (_, state, more, expected) => {
  expect(judged(state, more)).toEqual([expect.stringMatching(expected)])
})
