import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig } from 'rolldown'
import { licences } from './scripts/build/licences.mjs'
import { ADDON_PACKAGES, sqliteAddons } from './scripts/build/sqlite-addons.mjs'

/** The files that a file imports, and those that these import; not what is imported later. */
function importsOf(file, seen = new Set()) {
  if (seen.has(file)) return seen
  seen.add(file)
  const imports = /^(?:import|export) (?!type\b)[\w\s{},*]*?from '(\.[^']+\.ts)'/gm
  for (const [, path] of readFileSync(file, 'utf8').matchAll(imports))
    importsOf(join(dirname(file), path), seen)
  return seen
}

/** What `plexus mcp` needs for its first call, in one file: there may be many of these processes, and each chunk takes memory. */
const client = new Set(
  ['src/commands/mcp.ts', 'src/assembly/mcp-client.ts'].flatMap((file) => [
    ...importsOf(join(import.meta.dirname, file)),
  ]),
)

/**
 * CommonJS, because Node has it loaded sooner: each module of Node itself costs less to import, and no chunk waits for its turn.
 * A package.json beside it says so, for `dist/main.js` is the name that clients have in their settings.
 */
const asCommonJs = {
  name: 'as-commonjs',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
  },
}

export default defineConfig({
  input: 'src/entry.ts',
  platform: 'node',
  external: [/^node:/],
  plugins: [asCommonJs, sqliteAddons, licences(...ADDON_PACKAGES)],
  output: {
    dir: 'dist',
    cleanDir: true,
    entryFileNames: 'main.js',
    format: 'cjs',
    codeSplitting: {
      groups: [
        { name: 'tool-table', test: /tool-table/, priority: 2 },
        { name: 'client', test: (id) => client.has(id), priority: 1 },
      ],
    },
    banner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
  },
})
