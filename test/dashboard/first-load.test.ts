import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { programPath } from '../rig/tools/build-programs.ts'

const folder = join(dirname(programPath('plexus')), 'page')
const MAX_BYTES = 40_000
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

/** The files that a browser needs before it shows the inbox: what the page names, and what its code imports at its start. */
function firstFiles(): string[] {
  const files = new Set(['/index.html', '/service-worker.js'])
  for (const file of files) {
    const text = read(file)
    const named = file.endsWith('.html')
      ? text.matchAll(/(?:src|href)="(\/[^"]+)"/g)
      : text.matchAll(/(?:\bfrom|\bimport)\s*"\.(\/[^"]+\.js)"/g)
    for (const [, path = ''] of named) files.add(file.endsWith('.html') ? path : `${dirname(file)}${path}`)
  }
  return [...files]
}

test('all that a browser loads before it shows the inbox is less than 40 KB, compressed', () => {
  const files = firstFiles()
  expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(1)
  expect(files.some((file) => file.endsWith('.css'))).toBe(true)
  expect(files.some((file) => file.includes('sessions-page'))).toBe(false)
  const sizes = files.map((file) => gzipSync(read(file)).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES)
})
