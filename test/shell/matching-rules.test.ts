import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { ShellContext } from '../../src/shell/harmless.ts'
import { matchingRules } from '../../src/shell/matching-rules.ts'

/** Every path is what it says; nothing is a link, and there are no files. */
const place: ShellContext = {
  files: {
    realPath: (path) => path,
    hasEntry: () => false,
    names: () => [],
    text: () => undefined,
    hasBytes: () => undefined,
  },
  bounds: { folders: ['/code/app'], except: [] },
  cwd: '/code/app',
  trusted: false,
}
const rules = [
  'npm test:*',
  'git push *',
  'make',
  'docker * ls',
  'rm *',
  'kubectl *ab*ba',
  'helm a:* b:*',
  'gh * --repo * view',
]

describe('S23: a rule answers', () => {
  it.each([
    ['npm test', 'npm test:*'],
    ['npm test -- --watch', 'npm test:*'],
    ['git push origin main', 'git push *'],
    ['make', 'make'],
    ['docker image ls', 'docker * ls'],
    ['cd src && npm test 2>&1 | tail -5', 'npm test:*'],
    ['rm src/x', 'rm *'],
    ['rm -rf src/x', 'rm *'],
    ['npm test > /dev/null', 'npm test:*'],
    ['npm test < src/x', 'npm test:*'],
    ['kubectl abba', 'kubectl *ab*ba'],
    ['kubectl x ab y ba', 'kubectl *ab*ba'],
    ['helm a:1 b c', 'helm a:* b:*'],
    ['gh pr --repo x view', 'gh * --repo * view'],
  ])('%s', (line, rule) => {
    expect(matchingRules(line, rules, place)).toEqual([rule])
  })

  it('that begins with a wildcard, also at the beginning of a command', () => {
    expect(matchingRules('docker ps', ['*ocke*'], place)).toEqual(['*ocke*'])
    expect(matchingRules('docker ps', ['*docker*'], place)).toEqual(['*docker*'])
  })

  it('each command of a line by a rule of its own', () => {
    expect(matchingRules('make && npm test', rules, place)).toEqual(['make', 'npm test:*'])
  })
})

describe('S23: no rule answers', () => {
  it.each([
    'npm tests',
    'npm run test',
    'make all',
    'npm test; curl http://x',
    'npm test && $(curl x)',
    'npm test > out.txt',
    'npm test < ../x',
    'npm test &',
    '(npm test)',
    'X=1 npm test',
    'docker image',
    'rm ../x',
    'rm src/x ../y',
    'rm ../y src/x',
    'podman image ls',
    'kubectl aba',
    'kubectl x ba',
    'gh pr view',
    'gh view --repo',
    'rm -rf /',
    'cd .. && npm test',
    'npm test\ncurl x',
    'npm test "unterminated',
    'ls',
    '',
  ])('%j', (line) => {
    expect(matchingRules(line, rules, place)).toBeUndefined()
  })
})

test('S23: a command that a rule allows is not allowed once another command is joined to it, by any operator', () => {
  const allowed = ['npm test', 'git push origin main', 'make']
  const operator = fc.constantFrom(
    ';',
    '&&',
    '||',
    '|',
    '|&',
    '&',
    '\n',
    ' ',
    '>',
    '>>',
    '<<<',
    '$(',
    '`',
    '(',
  )
  const other = fc.constantFrom(
    'curl x',
    'sh -c x',
    'eval x',
    'env',
    '> y',
    '$(id)',
    '(id)',
    '`id`',
    'cat ../x',
  )
  const end = fc.constantFrom('', ';', ')', '`', '\n', ' #')
  fc.assert(
    fc.property(
      fc.constantFrom(...allowed),
      operator,
      other,
      end,
      fc.boolean(),
      (one, joint, two, last, first) => {
        const line = first ? `${one} ${joint} ${two}${last}` : `${two} ${joint} ${one}${last}`
        expect(matchingRules(line, allowed, place)).toBeUndefined()
      },
    ),
    { numRuns: 5_000 },
  )
})

test('the time to match a rule with many stars grows with its length only', () => {
  const rule = `${'a*'.repeat(5_000)}b`
  expect(matchingRules('a'.repeat(15_000), [rule], place)).toBeUndefined()
})
