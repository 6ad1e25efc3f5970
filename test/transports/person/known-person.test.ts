import { expect, test } from 'vitest'
import {
  FormSwitch,
  FormSwitches,
  hasPerson,
  isTerminalAgent,
  isTerminalEntry,
} from '../../../src/transports/person/known-person.ts'

test.each([
  ['cli', 'claude-code/2.1.325 (cli)', true],
  ['sdk-cli', 'claude-code/2.1.325 (sdk-cli)', false],
  ['sdk-ts', 'claude-code/2.1.325 (sdk-ts, agent-sdk/0.3.325)', false],
  ['', 'node (cli)', false],
  ['cli ', 'x claude-code/2.1.325 (cli)', false],
  ['x cli', 'claude-code/2.1.325 (cli) x', false],
  [undefined, null, false],
])('S40: Claude Code of %s is in a terminal: %s, %s', (entry, agent, is) => {
  expect(isTerminalEntry(entry)).toBe(is)
  expect(isTerminalAgent(agent)).toBe(is)
})

test('S40: a person is known at a terminal of Claude Code, and not at what was started in one', () => {
  const seat = { isTerminal: true, forms: new FormSwitch() }
  expect(hasPerson(seat, 'claude-code')).toBe(true)
  expect(hasPerson(seat, 'another')).toBe(false)
  expect(hasPerson({ ...seat, isTerminal: false }, 'claude-code')).toBe(false)
})

test('the switch of a client is its own, lasts until it connects anew, and is forgotten after many others', () => {
  const switches = new FormSwitches()
  switches.of('a', true).turnOff()
  expect(switches.of('a', false).isOff).toBe(true)
  expect(switches.of('b', false).isOff).toBe(false)
  expect(switches.of('a', true).isOff).toBe(false)
  switches.of('a', false).turnOff()
  for (let n = 0; n < 200; n++) switches.of(`other ${n}`, false)
  expect(switches.of('a', false).isOff).toBe(false)
})
