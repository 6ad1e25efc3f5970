import { expect, test } from 'vitest'
import { couldNameCommandTool, runsCommands } from '../../src/shell/command-tools.ts'

test.each(['Bash', 'PowerShell', 'Monitor', 'REPL', 'bash', 'POWERSHELL'])('%s runs commands', (name) => {
  expect(runsCommands(name)).toBe(true)
  expect(couldNameCommandTool(name)).toBe(true)
})

test.each(['Read', 'Bas', 'BashOutput', 'mcp__web__bash', ''])('%j does not', (name) => {
  expect(runsCommands(name)).toBe(false)
  expect(couldNameCommandTool(name)).toBe(false)
})

test('a wildcard in a name could stand for one', () => {
  expect(['*', 'B*', 'power*l', ' mon*'].map(couldNameCommandTool)).toEqual([true, true, true, true])
  expect(['Read*', 'mcp__*'].map(couldNameCommandTool)).toEqual([false, false])
})
