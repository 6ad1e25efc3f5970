import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { guarantees, idsByFile } from '../scripts/guarantees.mjs'
import { WIDE } from './wide.ts'

const text = readFileSync(join(import.meta.dirname, '../docs/GUARANTEES.md'), 'utf8')
const rows = [...text.matchAll(/^\| ([SRI]\d+) \| .*? \| (.*) \|$/gm)].map(([, id, shown]) => ({ id, shown }))

test('the list of guarantees says which tests show them (npm run guarantees)', () => {
  expect(guarantees(text)).toBe(text)
})

test('no promise is without a test', () => {
  expect(rows.filter(({ shown }) => shown === '').map(({ id }) => id)).toEqual([])
})

test('every promise is shown by a test of npm test', () => {
  const shown = new Set(
    idsByFile()
      .filter(({ file }) => !WIDE.includes(file))
      .flatMap(({ ids }) => [...ids]),
  )
  expect(rows.map(({ id }) => id).filter((id) => !shown.has(id ?? ''))).toEqual([])
})

test('no test shows a promise that is not listed', () => {
  const listed = new Set(rows.map(({ id }) => id))
  const shown = new Set(idsByFile().flatMap(({ ids }) => [...ids]))
  expect([...shown].filter((id) => !listed.has(id))).toEqual([])
})
