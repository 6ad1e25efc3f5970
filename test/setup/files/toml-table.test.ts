import * as fc from 'fast-check'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { tableAt, withoutTable, withTable } from '../../../src/setup/files/toml-table.ts'

const PATH = ['mcp_servers', 'plexus'] as const
const entry = { command: '/bin/node', args: ['/a "b"/main.js', 'mcp'], tool_timeout_sec: 60 }

/** Statements that look like headers, or hide one, and are whole. */
const LINES = [
  'model = "gpt"',
  '# [mcp_servers.plexus]',
  '',
  'text = """\n[mcp_servers.plexus]\ncommand = "no"\n"""',
  "other = '''\n[a]\n'''",
  'list = [\n  [1],\n["mcp_servers.plexus"],\n]',
  '[[profiles]] # many',
  '[mcp_servers.other]\ncommand = "x" # [mcp_servers.plexus]',
  '[mcp_servers."plexus 2"]',
  '  [ indented ]\n  "a key" = 1979-05-27',
  'dotted.key = { inline = [1, 2] }',
]

/** Files that TOML allows: the same table or key twice is an error there. */
const files = fc
  .tuple(
    fc.subarray(LINES.slice(0, 6)),
    fc.shuffledSubarray(LINES.slice(6, 10)),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n'),
  )
  .map(([keys, tables, newline, end]) => [...keys, ...tables].join('\n').replaceAll('\n', newline) + end)

const holds = (law: (file: string) => void) =>
  fc.assert(
    fc.property(files, (file) => law(file)),
    { numRuns: 200 },
  )

test('a table is added, and nothing else has another value; all bytes before it stay', () => {
  holds((file) => {
    const after = withTable(file, PATH, entry)
    expect(after.startsWith(file)).toBe(true)
    const { mcp_servers: servers = {}, ...rest } = parse(file) as { mcp_servers?: object }
    expect(parse(after)).toEqual({ ...rest, mcp_servers: { ...servers, plexus: entry } })
  })
})

test('a table that is removed leaves the bytes that were there', () => {
  holds((file) => {
    fc.pre(file === '' || file.endsWith('\n'))
    expect(withoutTable(withTable(file, PATH, entry), PATH)).toBe(file)
  })
})

test('a table that is removed leaves what was added after it, as if ours had never been there', () => {
  holds((file) => {
    const both = withTable(withTable(file, PATH, entry), ['mcp_servers', 'later'], { url: 'x' })
    expect(withoutTable(both, PATH)).toBe(withTable(file, ['mcp_servers', 'later'], { url: 'x' }))
  })
})

test('a table is replaced, with the tables below it', () => {
  const file =
    '[a]\nb = 1\n\n[mcp_servers.plexus]\ncommand = "old"\n[mcp_servers.plexus.env]\nX = "1"\n\n# about c\n[c]\n'
  const after = withTable(file, PATH, entry)
  expect(after).toMatch(
    /^\[a\]\nb = 1\n\n# about c\n\[c\]\n\n\[mcp_servers.plexus\]\ncommand = "\/bin\/node"\n/,
  )
  expect(tableAt(after, PATH)).toEqual(entry)
  expect(withTable(after, PATH, entry)).toBe(after)
})

test.each([
  ['[mcp_servers]\nplexus = { command = "x" }\n'],
  ['mcp_servers.plexus.command = "x"\n'],
  ['mcp_servers = { a = { command = "x" } }\n'],
  ['mcp_servers = 1\n'],
])('%j is left alone, because our part of it is no table of its own', (file) => {
  expect(() => withTable(file, PATH, entry)).toThrow(SyntaxError)
})

test('what is not TOML is refused with its line', () => {
  expect(() => tableAt('a = 1\nb = what\n', PATH)).toThrow('line 2')
})
