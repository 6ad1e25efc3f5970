import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { LEAVES, type Room, ROOMS } from './rooms.ts'

const src = join(import.meta.dirname, '../../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .toSorted()
const rooms = [...new Set(files.map((file) => dirname(file)))].toSorted()

interface Import {
  readonly from: string
  readonly to: string
}

/** The imports of src that lead from one room into another, as files below src. */
const imports: readonly Import[] = files.flatMap((from) =>
  pathsIn(readFileSync(join(src, from), 'utf8'))
    .filter((path) => path.startsWith('.'))
    .map((path) => ({ from, to: relative(src, join(src, dirname(from), path)) }))
    .filter(({ to }) => !to.startsWith('..') && dirname(from) !== dirname(to)),
)

function pathsIn(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, path]) => path ?? '')
}

const roomOf = (file: string): Room => ROOMS[dirname(file)] ?? { imports: [], surface: [] }
const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1)
const inWords = ({ from, to }: Import): string => `src/${from} imports ${to}`

function isAllowed({ from, to }: Import): boolean {
  return LEAVES.includes(dirname(to)) || roomOf(from).imports.includes(dirname(to))
}

/** Every line of src that `forbids` finds fault with, as a reader would look it up. */
function offences(forbids: (file: string, line: string) => boolean): string[] {
  return files.flatMap((file) =>
    readFileSync(join(src, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (forbids(file, line) ? [`src/${file}:${index + 1} ${line.trim()}`] : [])),
  )
}

test('every room of src has its place in the table', () => {
  expect(rooms).toEqual(Object.keys(ROOMS).toSorted())
})

test('no room has more than 15 files', () => {
  const sizes = rooms.map((room) => ({ room, size: files.filter((file) => dirname(file) === room).length }))
  expect(sizes.filter(({ size }) => size > 15)).toEqual([])
})

test('every import leads into a room that the table allows', () => {
  expect(imports.filter((one) => !isAllowed(one)).map(inWords)).toEqual([])
})

test('every import from another room is of its surface', () => {
  expect(imports.filter(({ to }) => !roomOf(to).surface.includes(nameOf(to))).map(inWords)).toEqual([])
})

test('the table allows nothing that no file needs', () => {
  const idle = Object.entries(ROOMS).flatMap(([room, { imports: may, surface }]) => [
    ...may
      .filter((other) => !imports.some(({ from, to }) => dirname(from) === room && dirname(to) === other))
      .map((other) => `${room} need not import ${other}`),
    ...surface
      .filter((name) => !imports.some(({ to }) => to === (room === '.' ? name : `${room}/${name}`)))
      .map((name) => `${room}/${name} is imported by no other room`),
  ])
  expect(idle).toEqual([])
})

test('rooms import in one direction: no room imports itself through others', () => {
  const reaches = (room: string, seen = new Set<string>()): Set<string> => {
    for (const next of ROOMS[room]?.imports ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      reaches(next, seen)
    }
    return seen
  }
  expect(rooms.filter((room) => reaches(room).has(room))).toEqual([])
  expect(LEAVES.flatMap((leaf) => ROOMS[leaf]?.imports ?? [])).toEqual([])
})

/** A hub that starts in the background is no child of a session, and neither is a short command, a person's editor or a person's own claude. */
const STARTS_PROCESSES = [
  'child/process',
  'command-line/terminal/run-program.ts',
  'commands/outside/foreground-process.ts',
  'hub/background/start-hub.ts',
  'system/open-link.ts',
  'system/process-table.ts',
  'system/run-command.ts',
]

function startsProcesses(file: string): boolean {
  return STARTS_PROCESSES.includes(file) || STARTS_PROCESSES.includes(dirname(file))
}

test('only the named files start processes', () => {
  const spawning = offences((_, line) => pathsIn(line).some((path) => /^(node:)?child_process$/.test(path)))
  const named = files.filter(startsProcesses).map((file) => `src/${file}:`)
  expect(spawning.filter((offence) => !named.some((file) => offence.startsWith(file)))).toEqual([])
})

const READS_ENVIRONMENT = ['assembly/config.ts', 'main.ts']

test('only the configuration reads the environment', () => {
  const reads = /\bprocess\s*(\.|\?\.)\s*env\b|\{[^}]*\benv\b[^}]*\}\s*(=|from)\s*['"]?(node:)?process\b/
  expect(offences((file, line) => !READS_ENVIRONMENT.includes(file) && reads.test(line))).toEqual([])
})
