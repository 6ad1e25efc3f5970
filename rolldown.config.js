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

const allImportsOf = (...files) =>
  new Set(files.flatMap((file) => [...importsOf(join(import.meta.dirname, file))]))

/** What `plexus mcp` needs for its first call, in one file: there may be many of these processes, and each chunk takes memory. */
const client = allImportsOf('src/commands/mcp.ts', 'src/assembly/mcp-client.ts')

/** What every command needs, so that `plexus --version` reads nothing else. */
const start = allImportsOf('src/main.ts')

/** What a command needs to call the hub. */
const hubClient = allImportsOf('src/command-line/client-hub.ts')

/** The commands that are called most often, in one file besides. */
const usual = allImportsOf(
  ...['sessions/ls', 'questions/pending', 'questions/allow', 'questions/deny'].map(
    (name) => `src/commands/${name}.ts`,
  ),
)

/** What the hub has in common with those: a start of the hub loads neither. */
const ofHubToo = new Set(
  [...allImportsOf('src/commands/serve.ts')].filter(
    (id) => (usual.has(id) || client.has(id)) && !hubClient.has(id),
  ),
)

/** What a hub has loaded when it is ready, in two files: each takes a third of a millisecond, however little is in it. */
const hub = allImportsOf('src/commands/serve.ts')

/** One of them is what those need too who call a hub, or find or start it: they do not read how to be one. */
const common = new Set([
  ...[...hubClient].filter((id) => hub.has(id)),
  ...allImportsOf(
    ...[
      'hub/hub-lock',
      'hub/last-port',
      'hub/log-file',
      'text/canonical-json',
      'transports/http/free-port',
    ].map((name) => `src/${name}.ts`),
  ),
])

/** What `string-width` makes as it is loaded takes longer than `plexus ls` has; here it makes it for the first wide text. */
const LATER = [
  'segmenter',
  'visibleCharacterRegex',
  'spacingMarkRegex',
  'rgiEmojiRegex',
  'extendedPictographicRegex',
]

/** Each use of the constant becomes a call that makes it. A pattern is no literal then, because those are checked as the file is read. */
function madeLater(code, name) {
  const [declared, value] = new RegExp(`const ${name} = (.+);`).exec(code) ?? []
  if (!declared) throw new Error(`string-width has no "${name}" any more; see rolldown.config.js.`)
  const [, pattern, flags] = /^\/(.+)\/(\w+)$/.exec(value) ?? []
  const made = pattern ? `new RegExp(${JSON.stringify(pattern)}, ${JSON.stringify(flags)})` : value
  const uses = code.replace(declared, '').replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}()`)
  return `${uses}\nlet ${name}Made; function ${name}() { return (${name}Made ??= ${made}); }\n`
}

const lazyStringWidth = {
  name: 'lazy-string-width',
  transform: {
    filter: { id: /string-width\/index\.js$/ },
    handler: (code) => LATER.reduce(madeLater, code),
  },
}

const requireOf = (...modules) =>
  new RegExp(`^(let|const) (\\w+) = (require\\("node:(?:${modules.join('|')})"\\));$`, 'gm')

/** Modules of Node that most commands of a person never use; loading them takes longer than the answer of a hub. */
const RARE = requireOf('child_process', 'crypto', 'os', 'readline', 'fs/promises')

/** By chunk, what it loads when it is first used. A hub needs `crypto` at every start. */
const LAZY = new Map([
  ['common', RARE],
  ['hub-client', RARE],
  ['usual-commands', RARE],
  ['hub', requireOf('child_process', 'fs/promises')],
])

const lazyModules = {
  name: 'lazy-modules-of-node',
  renderChunk(code, { name }) {
    // An `import` in a CommonJS file makes Node load all of its other loader, which takes two milliseconds.
    const required = code.replace(/\bimport\(("node:[\w/]+")\)/g, 'Promise.resolve(require($1))')
    const rare = LAZY.get(name)
    if (rare === undefined) return required
    return required.replace(
      rare,
      (_, kind, module, load) => `${kind} ${module} = new Proxy({}, { get: (_, name) => ${load}[name] });`,
    )
  },
}

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
  plugins: [asCommonJs, lazyModules, lazyStringWidth, sqliteAddons, licences(...ADDON_PACKAGES)],
  output: {
    dir: 'dist',
    cleanDir: true,
    entryFileNames: 'main.js',
    format: 'cjs',
    codeSplitting: {
      groups: [
        { name: 'start', test: (id) => start.has(id) || ofHubToo.has(id), priority: 4 },
        { name: 'tool-table', test: /tool-table/, priority: 3 },
        { name: 'common', test: (id) => common.has(id), priority: 3 },
        { name: 'hub-client', test: (id) => hubClient.has(id), priority: 2 },
        { name: 'hub', test: (id) => hub.has(id), priority: 2 },
        { name: 'usual-commands', test: (id) => usual.has(id) || /string-width/.test(id), priority: 1 },
        { name: 'client', test: (id) => client.has(id), priority: 1 },
      ],
    },
    // Node reads each file before it runs: comments are in the source.
    comments: { legal: true, annotation: true, jsdoc: false },
    banner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
  },
})
