import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type InputOptions, type OutputOptions, type RolldownOptions, rolldown } from 'rolldown'
import { build } from 'vite'
import published from '../../../rolldown.config.js'
import { forgetBuilt, isBuilt, noteBuilt, sourcesOf } from '../../../scripts/built-from.mjs'
import { writeTables } from '../../../scripts/tables.mjs'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'test/programs')
const built = join(root, '.cache/programs')
const PLEXUS = '.cache/programs/plexus'
const toolTable = join(root, 'src/transports/mcp/tool-table.json')

/** Where `plexus`, `next/plexus`, or a program of test/programs, is after the build: Node runs it as it is, in a process of its own. */
export function programPath(name: string): string {
  return name.endsWith('plexus') ? join(built, name, 'main.js') : join(built, `${name}.mjs`)
}

/** The same program as it will be one day: nothing differs but its version. */
export const NEXT_VERSION = '99.0.0'

/** Vitest calls this once before all tests. What is built from these very sources is not built again. */
export async function setup(): Promise<void> {
  const sources = sourcesOf(root, ['test/programs', 'test/contracts', 'test/rig'])
  if (isBuilt(root, sources, PLEXUS) && existsSync(toolTable)) return
  forgetBuilt(root, PLEXUS)
  await buildAll()
  noteBuilt(root, sources, PLEXUS)
}

async function buildAll(): Promise<void> {
  await writeTables()
  const names = (await readdir(folder)).map((file) => file.replace(/\.ts$/, ''))
  const input = Object.fromEntries(names.map((name) => [name, join(folder, `${name}.ts`)]))
  const output = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
  await write({ input, platform: 'node' }, { ...output, dir: built, format: 'esm' })
  await writePlexus('plexus')
  await buildPage()
  await writePlexus('next/plexus', nextVersion)
}

/** As it is published: a command starts in half the time of one that is built without care for that. */
async function writePlexus(name: string, ...more: RolldownOptions['plugins'][]): Promise<void> {
  const { output, plugins, ...options } = published
  // Another run of the tests may be at work with what is there.
  const checks = { ineffectiveDynamicImport: false }
  await write(
    { ...options, checks, plugins: [plugins, ...more] },
    { ...output, dir: join(built, name), cleanDir: false },
  )
}

/** Beside the program, where a hub looks for it. As it is published: by NODE_ENV libraries choose what they ship. */
async function buildPage(): Promise<void> {
  const page = join(root, 'dashboard')
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  await build({
    configFile: join(page, 'vite.config.ts'),
    root: page,
    build: { outDir: join(built, 'plexus/page') },
  })
  process.env['NODE_ENV'] = before
}

const nextVersion = {
  name: 'next-version',
  transform: {
    filter: { id: /\/package\.json$/ },
    handler: (code: string) => code.replace(/("version":\s*)"[^"]+"/, `$1"${NEXT_VERSION}"`),
  },
}

async function write(input: InputOptions, output: OutputOptions): Promise<void> {
  const bundle = await rolldown(input)
  await bundle.write(output)
  await bundle.close()
}
