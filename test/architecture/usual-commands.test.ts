import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const USUAL = ['sessions/ls', 'questions/pending', 'questions/allow', 'questions/deny']

/** The packages that a file loads as it starts, each with the file that imports it. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const imports = /^(?:import|export) (?!type\b)[\w\s{},*]*?from '([^']+)'/gm
  return [...readFileSync(file, 'utf8').matchAll(imports)].flatMap(([, path = '']) => {
    if (path.startsWith('.')) return packagesOf(join(dirname(file), path), seen)
    return path.startsWith('node:') ? [] : [`${path} by ${relative(root, file)}`]
  })
}

// Loading the schemas took `plexus ls` from 2.4 to 3 times the start of Node.
test.each(USUAL)('%s loads no package but the one for the width of text', (command) => {
  const packages = packagesOf(join(root, `src/commands/${command}.ts`))
  expect(packages.filter((line) => !line.startsWith('string-width '))).toEqual([])
})
