import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonc } from '../../../src/setup/files/jsonc.ts'
import {
  valueAt,
  withItem,
  withMember,
  withoutEmpty,
  withoutItem,
  withoutMember,
} from '../../../src/setup/files/jsonc-edit.ts'
import { servers, settings, text } from './any-jsonc.ts'

const OURS = ['mcpServers', 'plexus']
const OTHER = ['mcpServers', 'other']
const entry = { command: '/bin/node', args: ['/a b/main.js', 'mcp'] }
const files = text(settings(servers, 'mcpServers'))

/** What is right for any file. */
const holds = (law: (file: string) => void, some = files) =>
  fc.assert(
    fc.property(some, (file) => law(file)),
    { numRuns: 200 },
  )

test('a file without comments is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(parseJsonc(json).value).toEqual(JSON.parse(json))
    }),
  )
})

test.each([
  '{',
  '{"a"}',
  '{"a":}',
  '{"a":1 "b":2}',
  '[1,,2]',
  '{,}',
  '"a\nb"',
  '{} {}',
  '01',
  'nul',
  '/* {}',
  "{'a':1}",
  '{"a":"\\x"}',
])('%j is not JSON', (wrong) => {
  expect(() => parseJsonc(wrong)).toThrow(/^line \d$/)
})

test('a text that is nested without end is refused, and the stack stays whole', () => {
  expect(() => parseJsonc('['.repeat(100_000))).toThrow('line 1')
})

test('an entry is added, and nothing else has another value', () => {
  holds((file) => {
    const after = withMember(file, OURS, entry)
    const { mcpServers = {}, ...rest } = parseJsonc(file).value as { mcpServers?: object }
    expect(parseJsonc(after).value).toEqual({ ...rest, mcpServers: { ...mcpServers, plexus: entry } })
  })
})

test('all that was in the file is still there, in its order: an addition only adds', () => {
  holds((file) => {
    const after = withMember(file, OURS, entry)
    const dense = file.replaceAll(/\s/g, '')
    const found = Array.from(after).reduce((at, character) => (character === dense[at] ? at + 1 : at), 0)
    expect(dense.slice(found)).toBe('')
  })
})

test('an entry that is removed leaves the bytes that were there, if its container had something in it', () => {
  holds((file) => {
    fc.pre(Object.keys(valueAt(file, ['mcpServers']) ?? {}).length > 0)
    expect(withoutMember(withMember(file, OURS, entry), OURS)).toBe(file)
  })
})

test('an entry that is removed leaves what another program has added meanwhile, as if ours had never been there', () => {
  holds((file) => {
    const both = withMember(withMember(file, OURS, entry), OTHER, [1])
    expect(withoutMember(both, OURS)).toBe(withMember(file, OTHER, [1]))
  })
})

test('a container that was made for the entry goes with it, and what was added after it stays', () => {
  holds(
    (file) => {
      const later = withMember(withMember(file, OURS, entry), ['later'], true)
      const removed = withoutEmpty(withoutMember(later, OURS), ['mcpServers'])
      expect(removed).toBe(withMember(file, ['later'], true))
    },
    text(settings(fc.constant(undefined), 'mcpServers')),
  )
})

test('an entry that another program has written anew in its own layout is removed as well', () => {
  holds((file) => {
    const rewritten = JSON.stringify(parseJsonc(withMember(file, OURS, entry)).value, null, 1)
    const removed = withoutEmpty(withoutMember(rewritten, OURS), ['mcpServers'])
    expect(parseJsonc(removed).value).toEqual(parseJsonc(withoutEmpty(file, ['mcpServers'])).value)
  })
})

test('an entry is replaced in its place, and back', () => {
  holds((file) => {
    const [one, two] = [withMember(file, OURS, entry), withMember(file, OURS, { command: 'x' })]
    expect(withMember(one, OURS, { command: 'x' })).toBe(two)
    expect(withMember(two, OURS, entry)).toBe(one)
  })
})

test('a text is added to a list and removed from it, and the bytes are as before', () => {
  const lists = text(
    settings(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }), 'list'),
  )
  fc.assert(
    fc.property(lists, (file) => {
      fc.pre(valueAt(file, ['list']) !== undefined)
      const added = withItem(withItem(file, ['list'], 'ours'), ['list'], 'second')
      expect(valueAt(added, ['list'])).toEqual([...(valueAt(file, ['list']) as string[]), 'ours', 'second'])
      expect(withItem(added, ['list'], 'ours')).toBe(added)
      expect(withoutItem(withoutItem(added, ['list'], 'ours'), ['list'], 'second')).toBe(file)
    }),
  )
})

test('what is added looks like the rest of the file', () => {
  expect(withMember('', OURS, { command: 'x' })).toBe(
    '{\n  "mcpServers": {\n    "plexus": {\n      "command": "x"\n    }\n  }\n}\n',
  )
  expect(withMember('{"a":1}', OURS, { command: 'x' })).toBe(
    '{"a":1,"mcpServers":{"plexus":{"command":"x"}}}',
  )
  expect(withMember('{\r\n\t"mcpServers": {} // none\r\n}', OURS, 1)).toBe(
    '{\r\n\t"mcpServers": {\r\n\t\t"plexus": 1\r\n\t} // none\r\n}',
  )
  expect(withMember('{\n  "mcpServers": {\n    "a": 1 // the first\n  }\n}\n', OURS, 2)).toBe(
    '{\n  "mcpServers": {\n    "a": 1, // the first\n    "plexus": 2\n  }\n}\n',
  )
})

test.each([
  ['{"mcpServers": 1}', 'no object is where plexus belongs'],
  ['{"mcpServers": {}, "mcpServers": {}}', 'mcpServers stands there twice'],
  ['[]', 'it is no object'],
])('%s takes no entry: %s', (file, reason) => {
  expect(() => withMember(file, OURS, entry)).toThrow(reason)
})

test('a line comment does not swallow what follows a removed entry', () => {
  const file = '{"a": {\n "b": 1, // b\n "plexus": 2 }, "c": 3}'
  expect(parseJsonc(withoutMember(file, ['a', 'plexus'])).value).toEqual({ a: { b: 1 }, c: 3 })
  const first = '{ // first\n "plexus": 2, "c": 3}'
  expect(parseJsonc(withoutMember(first, ['plexus'])).value).toEqual({ c: 3 })
})

test('a text of many megabytes is read', () => {
  const long = 'a \\"quoted\\" text '.repeat(200_000)
  expect(parseJsonc(`{${' '.repeat(1_000_000)}"a":"${long}"}`).value).toEqual({
    a: long.replaceAll('\\', ''),
  })
})
