import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type InputOptions, rolldown } from 'rolldown'
import { build } from 'vite'
import { writeTables } from '../../../scripts/tables.mjs'

const folder = join(import.meta.dirname, '../../programs')
const built = join(import.meta.dirname, '../../../.cache/programs')

/** Where `plexus`, `next/plexus`, or a program of test/programs, is after the build: Node runs it as it is, in a process of its own. */
export function programPath(name: string): string {
  return join(built, `${name}.mjs`)
}

/** The same program as it will be one day: nothing differs but its version. */
export const NEXT_VERSION = '99.0.0'

/** Vitest calls this once before all tests. */
export async function setup(): Promise<void> {
  await writeTables()
  const names = (await readdir(folder)).map((file) => file.replace(/\.ts$/, ''))
  const programs = names.map((name) => [name, join(folder, `${name}.ts`)])
  const main = join(folder, '../../src/entry.ts')
  const input = Object.fromEntries([...programs, ['plexus', main]])
  await write(built, { input, platform: 'node' })
  await buildPage()
  await write(join(built, 'next'), { input: { plexus: main }, platform: 'node', plugins: [nextVersion] })
}

/** Beside the programs, where a hub looks for it. As it is published: by NODE_ENV libraries choose what they ship. */
async function buildPage(): Promise<void> {
  const root = join(import.meta.dirname, '../../../dashboard')
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  await build({ configFile: join(root, 'vite.config.ts'), root, build: { outDir: join(built, 'page') } })
  process.env['NODE_ENV'] = before
}

const nextVersion = {
  name: 'next-version',
  transform: {
    filter: { id: /\/package\.json$/ },
    handler: (code: string) => code.replace(/("version":\s*)"[^"]+"/, `$1"${NEXT_VERSION}"`),
  },
}

async function write(dir: string, options: InputOptions): Promise<void> {
  const bundle = await rolldown(options)
  await bundle.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
}
