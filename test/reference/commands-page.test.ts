import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsPage } from '../../src/reference/commands-page.ts'

test('docs/COMMANDS.md is what the table of commands says (npm run api-page)', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/COMMANDS.md'), 'utf8')).toBe(commandsPage())
})
