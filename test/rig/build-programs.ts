import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const folder = join(import.meta.dirname, '../programs')
const built = join(import.meta.dirname, '../../.cache/programs')

/** Where `plexus`, or a program of test/programs, is after the build: Node runs it as it is, in a process of its own. */
export function programPath(name: string): string {
  return join(built, `${name}.mjs`)
}

/** Vitest calls this once before all tests. */
export async function setup(): Promise<void> {
  const names = (await readdir(folder)).map((file) => file.replace(/\.ts$/, ''))
  const programs = names.map((name) => [name, join(folder, `${name}.ts`)])
  const input = Object.fromEntries([...programs, ['plexus', join(folder, '../../src/main.ts')]])
  const bundle = await rolldown({ input, platform: 'node' })
  await bundle.write({
    dir: built,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
}
