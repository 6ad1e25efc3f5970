import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pureModules } from '../../scripts/mutants/pure-modules.mjs'

const ROOT = join(import.meta.dirname, '../..')

interface Scope {
  folders: string[]
  pure: string[]
  also: Record<string, string>
  testsAdded: Record<string, string>
  testsLeftOut: Record<string, string>
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, 'scripts/mutants', name), 'utf8'))
}

const scope = read('scope.json') as Scope
const modules = new Set([...pureModules(ROOT), ...Object.keys(scope.also)])

// One import of a file or a process takes a module, and all that import it, out of the mutants without a word.
test('what folds events and what judges calls is pure', () => {
  expect(scope.pure.filter((file) => !modules.has(file))).toEqual([])
})

const isCounted = (file: string) =>
  modules.has(file) && scope.folders.some((folder) => file.startsWith(`${folder}/`))

test('each mutant that is listed as equivalent is one of a module whose mutants are counted', () => {
  const listed = (read('equivalent.json') as { file: string }[]).map(({ file }) => file)
  expect(listed.length).toBeGreaterThan(0)
  expect(listed.filter((file) => !isCounted(file))).toEqual([])
})

test('each path of the scope exists', () => {
  const { folders, also, testsAdded, testsLeftOut } = scope
  const paths = [...folders, ...[also, testsAdded, testsLeftOut].flatMap((named) => Object.keys(named))]
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
