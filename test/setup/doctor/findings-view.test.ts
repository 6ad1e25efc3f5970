import * as fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import type { Finding } from '../../../src/setup/doctor/checks/finding.ts'
import { findingLines, summary, withTilde, wrapped } from '../../../src/setup/doctor/findings-view.ts'

const plain = (_: unknown, text: string) => text
const findings: Finding[] = [
  { check: 'hub', level: 'ok', text: 'No hub runs; a command that needs one starts it.' },
  {
    check: 'variables',
    level: 'fix',
    text: 'Something is wrong with it, and this is what to do about it now.',
  },
]

test('findings are aligned, a sentence continues below itself, and the level is a word', () => {
  expect(findingLines(findings, 60, plain)).toEqual([
    'ok    hub        No hub runs; a command that needs one',
    '                 starts it.',
    'fix   variables  Something is wrong with it, and this is',
    '                 what to do about it now.',
  ])
  expect(findingLines(findings, Number.POSITIVE_INFINITY, plain)).toHaveLength(2)
  expect(findingLines(findings, 60, (level, text) => `<${level}>${text}`)[0]).toMatch(/^<ok>ok {4}hub /)
})

test('no line is wider than it may be, unless one word is, and no word is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '漢', 'é'), minLength: 1 })),
      fc.integer({ min: 1, max: 40 }),
      (words, width) => {
        const lines = wrapped(words.join(' '), width)
        expect(lines.join(' ')).toBe(words.join(' '))
        for (const line of lines) expect(stringWidth(line) <= width || !line.includes(' ')).toBe(true)
      },
    ),
  )
})

test("the user's own folder is ~, where a path begins and nowhere else", () => {
  expect(withTilde('Run: chmod 700 /home/ann/x', '/home/ann')).toBe('Run: chmod 700 ~/x')
  expect(withTilde('(/home/ann/x) P=/home/ann/y', '/home/ann')).toBe('(~/x) P=~/y')
  expect(withTilde('/mnt/home/ann/x /home/anna/x', '/home/ann')).toBe('/mnt/home/ann/x /home/anna/x')
  expect(withTilde('/x', undefined)).toBe('/x')
  expect(withTilde('/x', '/')).toBe('/x')
})

test('the last line says how much is to be done', () => {
  expect(summary([])).toBe('All is well.')
  expect(summary(findings)).toBe('One thing is to be fixed.')
  expect(summary([...findings, ...findings])).toBe('2 things are to be fixed.')
})
