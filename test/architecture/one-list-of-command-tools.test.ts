import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runsCommands } from '../../src/shell/command-tools.ts'

const root = join(import.meta.dirname, '../..')

test('[11] the tools that run commands stand in one list, and their case does not matter', () => {
  const tools = ['Bash', 'PowerShell', 'Monitor', 'REPL']
  expect(tools.filter((name) => !runsCommands(name) || !runsCommands(name.toLowerCase()))).toEqual([])
  // `Bash` alone is named where its language is parsed; a file that names another of them has a list of its own.
  const others = /['"`](powershell|monitor|repl)\b/i
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const lists = files.filter((file) => others.test(readFileSync(join(root, 'src', file), 'utf8')))
  expect(lists).toEqual(['shell/command-tools.ts'])
})
