import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Block, parseMarkdown } from '../../dashboard/src/text/markdown.ts'
import { codePoint } from '../rig/tools/code-point.ts'

const text = (value: string) => [{ type: 'text', text: value }]

test('the parts that plans are written in', () => {
  const plan = [
    '# Plan',
    '',
    'First **this**, then `that`.',
    '- one',
    '  - [x] two',
    '1. three',
    '> why',
    '```ts',
    'const a = 1',
    '```',
    '---',
    '| a | b |',
    '|---|---|',
    '| 1 | 2 |',
  ].join('\n')
  expect(parseMarkdown(plan)).toEqual([
    { type: 'heading', level: 1, content: text('Plan') },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'First ' },
        { type: 'strong', text: 'this' },
        { type: 'text', text: ', then ' },
        { type: 'code', text: 'that' },
        { type: 'text', text: '.' },
      ],
    },
    {
      type: 'list',
      ordered: false,
      items: [
        { depth: 0, content: text('one') },
        { depth: 1, checked: true, content: text('two') },
        { depth: 0, content: text('three') },
      ],
    },
    { type: 'quote', content: text('why') },
    { type: 'code', language: 'ts', text: 'const a = 1' },
    { type: 'rule' },
    {
      type: 'table',
      rows: [
        [text('a'), text('b')],
        [text('1'), text('2')],
      ],
    },
  ])
})

test.each(['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '[x](javascript:alert(1))'])(
  'S10: %s is text, and no address is a link',
  (hostile) => {
    const kinds = JSON.stringify(parseMarkdown(hostile))
    expect(kinds).toContain(hostile.includes('](') ? 'javascript:alert(1' : hostile.replaceAll('"', '\\"'))
    expect(kinds).not.toMatch(/"type":"(html|image)"/)
  },
)

test('a fence that is never closed holds the rest, and nothing is lost', () => {
  expect(parseMarkdown('```\nrm -rf /')).toEqual([{ type: 'code', language: '', text: 'rm -rf /' }])
})

describe('whatever a child writes', () => {
  test('every word of it is shown', () => {
    const piece = fc.constantFrom(
      'word',
      '# ',
      '- ',
      '1. ',
      '> ',
      '```',
      '`',
      '**',
      '*',
      '|',
      '---',
      '\n',
      ' ',
      '[a](b)',
      'x',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const whole = pieces.join('')
        const words = (whole.match(/word/g) ?? []).length
        const shown = parseMarkdown(whole).map(textOf).join(' ')
        // A word right after a fence is the name of its language.
        const languages = parseMarkdown(whole).map(languageText).join(' ')
        expect(((shown + languages).match(/word/g) ?? []).length).toBe(words)
        expect(letters(shown).length).toBeLessThanOrEqual(letters(whole).length + 1)
      }),
    )
  })

  test('it ends', () => {
    fc.assert(fc.property(fc.string({ unit: codePoint }), (any) => void parseMarkdown(any)))
    expect(parseMarkdown('*'.repeat(5_000)).length).toBeGreaterThan(0)
  })
})

function letters(value: string): string {
  return value.replaceAll(/[\s`*_#>|~()[\]+.:\-\dxX]/g, '')
}

function inline(parts: readonly { text: string; address?: string }[]): string {
  return parts.map((part) => part.text + (part.address ?? '')).join('')
}

function languageText(block: Block): string {
  return block.type === 'code' ? block.language : ''
}

function textOf(block: Block): string {
  switch (block.type) {
    case 'code':
      return block.text
    case 'list':
      return block.items.map(({ content }) => inline(content)).join(' ')
    case 'table':
      return block.rows.flat().map(inline).join(' ')
    case 'rule':
      return ''
    default:
      return inline(block.content)
  }
}
