import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readsItsInput } from '../../src/rules/lines/reads-input.ts'
import { runsCommands } from '../../src/shell/command-tools.ts'
import { readsScripts, runsItsArguments } from '../../src/shell/programs-that-run-programs.ts'
import { SHELLS } from '../../src/shell/programs/known-programs.ts'

const root = join(import.meta.dirname, '../..')

/** The files of a folder that a pattern matches. */
function filesWith(pattern: RegExp, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && pattern.test(readFileSync(join(root, folder, file), 'utf8')))
    .map((file) => `${folder}/${file}`)
}

test('[11] the tools that run commands stand in one list, and their case does not matter', () => {
  const tools = ['Bash', 'PowerShell', 'Monitor', 'REPL']
  expect(tools.filter((name) => !runsCommands(name) || !runsCommands(name.toLowerCase()))).toEqual([])
  // `Bash` alone is named where its language is parsed; a file that names another of them has a list of its own.
  expect(filesWith(/['"`](powershell|monitor|repl)\b/i, 'src')).toEqual(['src/shell/command-tools.ts'])
})

test('the tools that change files stand in one list', () => {
  const lists = ['src', 'dashboard/src'].flatMap((folder) => filesWith(/\bMultiEdit\b/, folder))
  expect(lists).toEqual(['src/shell/file-tools.ts'])
})

test('the shells stand in one list, with whatever version in their names', () => {
  expect(filesWith(/\b(?:mksh|tcsh)\b/, 'src')).toEqual(['src/shell/programs/known-programs.ts'])
  const shells = [...SHELLS].flatMap((name) => [name, `${name}-5.9`, `/usr/local/bin/${name}93`])
  expect(shells.filter((name) => !readsScripts(name) || !runsItsArguments(name))).toEqual([])
  expect(shells.filter((name) => !readsItsInput([name]) || !readsItsInput(['sudo', name, '-s']))).toEqual([])
})
