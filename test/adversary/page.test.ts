import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shown, shownAttack } from '../../scripts/adversary-page.mjs'
import { ATTACKS } from './commands.ts'
import { ORDINARY_COMMANDS } from './ordinary-commands.ts'

test('docs/ADVERSARY.md lists every command (npm run adversary)', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/ADVERSARY.md'), 'utf8')
  const rows = [...ATTACKS.map(shownAttack), ...ORDINARY_COMMANDS.map(shown)].map((cell) => `| ${cell} | `)
  expect(rows.filter((row) => !text.includes(row))).toEqual([])
})
