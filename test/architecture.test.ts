import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** Imports point down: each folder of src, and the folders (or single files) that it may import from besides itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  '.': ['approvals', 'commands', 'engine', 'events', 'sessions', 'sessions/record/store.ts', 'transports'],
  commands: [
    'api',
    'assembly/app.ts',
    'callers',
    'child',
    'assembly/config.ts',
    'demo',
    'engine',
    'events',
    'hub',
    'sessions',
    'store',
    'transcripts',
    'transports',
  ],
  // A person who is asked by MCP is an answerer like any other: forms are made of questions, answers of forms.
  transports: ['api', 'approvals', 'callers', 'text/line-splitter.ts', 'engine', 'events', 'sessions'],
  // Translations: they see the engine, and the schemas and pure functions of what they tell of.
  api: ['approvals', 'callers', 'child', 'engine', 'events', 'sessions', 'tree'],
  hub: ['approvals', 'callers', 'child', 'events', 'sessions', 'sessions/record/store.ts'],
  engine: ['approvals', 'callers', 'child', 'events', 'sessions', 'sessions/record/store.ts', 'tree'],
  // store.ts is the set of the ports; what implements them is out of sight.
  sessions: [
    'approvals',
    'callers',
    'child',
    'events',
    'shell/disk-files.ts',
    'sessions/record/store.ts',
    'tree',
  ],
  store: ['approvals', 'callers', 'events', 'sessions', 'tree'],
  transcripts: ['child', 'events'],
  approvals: ['shell/any-command-rule.ts', 'events', 'shell'],
  child: ['events', 'shell'],
  callers: ['shell'],
  demo: [],
  events: [],
  shell: [],
  tree: [],
}
/** Seen by all, and seeing nothing but each other. */
const LEAVES = [
  '../package.json',
  'base/ask-setting.ts',
  'base/clock.ts',
  'base/doorbell.ts',
  'base/errno.ts',
  'system/system-limit.ts',
  'base/errors.ts',
  'base/ids.ts',
  'base/input-fields.ts',
  'text/json-text.ts',
  'base/log.ts',
  'base/parse-input.ts',
  'base/permission-modes.ts',
  'base/defined-fields.ts',
  'base/rate-limit.ts',
  'text/signed-text.ts',
  'base/version.ts',
  'base/answer-via.ts',
  'text/visible-text.ts',
]
const READS_ENVIRONMENT = ['assembly/config.ts', 'main.ts']

const src = join(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const folderOf = (file: string): string => dirname(file).split('/')[0] ?? '.'

/** Every line of src that `forbids` finds fault with, as a reader would look it up. */
function offences(forbids: (file: string, line: string) => boolean): string[] {
  return files.flatMap((file) =>
    readFileSync(join(src, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (forbids(file, line) ? [`src/${file}:${at + 1} ${line.trim()}`] : [])),
  )
}

const importsOf = (line: string): string[] =>
  [...line.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, path]) => path ?? '')

function pointsDown(file: string, path: string): boolean {
  if (!path.startsWith('.')) return true
  const target = relative(src, join(src, dirname(file), path))
  if (LEAVES.includes(target)) return true
  if (LEAVES.includes(file)) return false
  const [from, to] = [folderOf(file), folderOf(target)]
  const allowed = MAY_IMPORT[from] ?? []
  return to === from || allowed.includes(to) || allowed.includes(target)
}

test('every folder of src has its place in the table', () => {
  expect([...new Set(files.map(folderOf))].toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted())
})

test('every import points down', () => {
  expect(offences((file, line) => importsOf(line).some((path) => !pointsDown(file, path)))).toEqual([])
})

/** Besides child: a hub that starts in the background is no child of a session. */
const STARTS_PROCESSES = ['hub/background/start-hub.ts']

test('only child starts processes', () => {
  expect(
    offences(
      (file, line) =>
        folderOf(file) !== 'child' &&
        !STARTS_PROCESSES.includes(file) &&
        importsOf(line).some((path) => /^(node:)?child_process$/.test(path)),
    ),
  ).toEqual([])
})

test('only the configuration reads the environment', () => {
  const reads = /\bprocess\s*(\.|\?\.)\s*env\b|\{[^}]*\benv\b[^}]*\}\s*(=|from)\s*['"]?(node:)?process\b/
  expect(offences((file, line) => !READS_ENVIRONMENT.includes(file) && reads.test(line))).toEqual([])
})
