import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { programPath } from '../rig/tools/build-programs.ts'

const folder = join(dirname(programPath('plexus')), 'page')
const MAX_BYTES = 42 * 1_024

test('all that a browser loads of the page is less than 42 KB, compressed', () => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(html|js|css|svg|webmanifest)$/.test(name),
  )
  expect(names).toContain('service-worker.js')
  const sizes = names.map((name) => gzipSync(readFileSync(join(folder, name))).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES)
})
