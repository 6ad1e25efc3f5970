import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeTokens, languageOf } from '../../dashboard/src/text/code-tokens.ts'
import { codePoint } from '../rig/tools/code-point.ts'

test('the parts of a line have their kinds', () => {
  expect(codeTokens('const a = "b" // c', languageOf('/x/y.ts'))).toEqual([
    { type: 'keyword', text: 'const' },
    { type: 'plain', text: ' a = ' },
    { type: 'string', text: '"b"' },
    { type: 'plain', text: ' ' },
    { type: 'comment', text: '// c' },
  ])
  expect(codeTokens('x = 12 # y', languageOf('y.py')).map(({ type }) => type)).toEqual([
    'plain',
    'number',
    'plain',
    'comment',
  ])
})

test('a file of an unknown kind, and a line too long to be code, have no colours', () => {
  for (const [line, path] of [
    ['const a', 'notes.txt'],
    ['const a '.repeat(1_000), 'a.ts'],
  ] as const)
    expect(codeTokens(line, languageOf(path))).toEqual([{ type: 'plain', text: line }])
})

test('the pieces are the line, whatever it holds', () => {
  const paths = fc.constantFrom('a.ts', 'b.py', 'c.sql', 'd.rs', 'Dockerfile', 'e')
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), paths, (line, path) => {
      const tokens = codeTokens(line, languageOf(path))
      expect(tokens.map(({ text }) => text).join('')).toBe(line)
    }),
  )
})
