import { describe, expect, test } from 'vitest'
import {
  commandPatternOf,
  fixedWords,
  hasWildcard,
  literalStart,
  patternCouldMatch,
  patternMatches,
} from '../../src/rules/command-pattern.ts'
import { globMatches, globOf } from '../../src/rules/paths/glob.ts'

describe('a text with stars', () => {
  test.each([
    ['abc', 'abc', true],
    ['abc', 'abcd', false],
    ['*', '', true],
    ['a*', 'a', true],
    ['*a', 'ba', true],
    ['*a', 'ab', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['ab*ba', 'aba', false],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'axbxc', true],
    ['a*b*c', 'ac', false],
    ['a*bc*c', 'abc', false],
    ['a*bc*c', 'abcc', true],
    ['a*b*b*c', 'abc', false],
    ['a*b*b*c', 'abbc', true],
    ['*b*', 'abc', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['a\\\\', 'a\\', true],
    ['a\\', 'a', true],
    ['', '', true],
    ['', 'a', false],
  ])('%s and %s: %s', (glob, text, matches) => {
    expect(globMatches(globOf(glob), text)).toBe(matches)
  })
})

const words = (line: string) => line.split(' ').map((word) => (word === '?' ? undefined : word))

const fixed = (pattern: string) => fixedWords(commandPatternOf(pattern))

const start = (pattern: string) => literalStart(commandPatternOf(pattern))

describe('a pattern of a command', () => {
  test.each([
    ['git push', 'git push', true],
    ['git push', 'git push x', false],
    ['git push', 'git', false],
    ['git push *', 'git push', true],
    ['git push *', 'git push a b', true],
    ['git push *', 'git pull', false],
    ['git push * -f *', 'git push -f', true],
    ['git push * -f *', 'git push a -f b', true],
    ['git push * -f *', 'git push a', false],
    ['git push * -f * -x', 'git push -f -x', true],
    ['git push * -f * -x', 'git push -x', false],
    ['a * b * c d * e', 'a b c d e', true],
    ['a * b * c d * e', 'a b c x d e', false],
    ['a * b * c d * e', 'a b b c c d e', true],
    ['a * c d * d', 'a c d', false],
    ['a * a', 'a', false],
    ['git push|pull x*', 'git pull xy', true],
    ['git push|pull x*', 'git fetch xy', false],
    ['git a\\|b', 'git a|b', true],
    ['git a\\*', 'git a*', true],
    ['git a\\*', 'git ab', false],
    ['git * x', 'git ? x', true],
    ['git ?', 'git ?', false],
    ['git *', '? push', false],
  ])('%s and %s: %s', (pattern, line, matches) => {
    expect(patternMatches(commandPatternOf(pattern), words(line))).toBe(matches)
  })

  test.each([
    ['git push *', 'git push', true],
    ['git push *', 'git pull', false],
    ['git push', 'git ?', true],
    ['git push', 'git ? x', true],
    ['git push', 'git push ?', true],
    ['git push', 'git pull ?', false],
    ['git push', 'git push x ?', false],
    ['git push *', 'git push x ?', true],
    ['git push *', '? push', true],
    ['git * -f', 'git x ?', true],
    ['git * -f', 'npm x ?', false],
  ])('%s could be %s: %s', (pattern, line, could) => {
    expect(patternCouldMatch(commandPatternOf(pattern), words(line))).toBe(could)
  })

  test('is found by the literal words at its start, at most two', () => {
    expect(start('git push x')).toEqual([['git'], ['push']])
    expect(start('git|npm push|pull *')).toEqual([
      ['git', 'npm'],
      ['push', 'pull'],
    ])
    expect(start('git p*|pull')).toEqual([['git']])
    expect(start('git *')).toEqual([['git']])
    expect(start('* push')).toEqual([])
    expect(start('g*|npm push')).toEqual([])
  })

  test('has fixed words before its first wildcard', () => {
    expect(fixed('git push|pull x')).toEqual([['git'], ['push', 'pull'], ['x']])
    expect(fixed('git push * x')).toEqual([['git'], ['push']])
    expect(fixed('git p*|pull x')).toEqual([['git']])
    expect(fixed('*')).toEqual([])
  })

  test('has a wildcard, or has none', () => {
    const wild = ['git push', 'git *', 'git p*', 'git pull|p*', 'git \\*'].map((text) =>
      hasWildcard(commandPatternOf(text)),
    )
    expect(wild).toEqual([false, true, true, true, false])
  })

  test('of nothing but spaces has no words', () => {
    expect(commandPatternOf('  ').tokens).toEqual([])
  })
})
