import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { suggestCommandRules } from '../../../src/approvals/grants/suggest-command-rule.ts'
import { couldAllowAnyCommand } from '../../../src/shell/any-command-rule.ts'
import { runs } from '../../rig/tools/property-runs.ts'

test.each([
  ['git push origin main', ['git push *']],
  ['touch a', ['touch *']],
  ['touch', ['touch *']],
  ['touch "a b" \'c d\' e\\ f', ['touch *']],
  [
    'npm run lint && git diff | head -3; touch a || echo no',
    ['npm run *', 'git diff *', 'head *', 'touch *', 'echo *'],
  ],
  ['touch a && touch b', ['touch *']],
  ['npm test 2>&1 > /dev/null', ['npm test *']],
  ['make check', ['make check *']],
  ['cd sub && npm test', ['cd *', 'npm test *']],
])('S26: for %s the rules %j are suggested', (command, rules) => {
  expect(suggestCommandRules(command)).toEqual(rules)
})

test.each([
  'sh x',
  'bash -c ls',
  'python3 -c 1',
  'node x.js',
  'env touch a',
  'sudo touch a',
  'xargs rm',
  'find . -delete',
  'git',
  'git -C sub push',
  'git bisect run x',
  'npm',
  'npm exec x',
  'docker run x',
  'make',
  'touch $x',
  'touch "$x"',
  'touch $(id)',
  'touch `id`',
  'touch *.txt',
  'touch {a,b}',
  'touch <(id)',

  'touch a > b',
  'touch a < b',
  'touch a >> b',
  'cat <<E\nx\nE',
  'cat <<< x',
  'touch a 2> b',
  'touch a >& b',
  'X=1 touch a',
  'X=1',
  'touch a &',
  '(touch a)',
  '{ touch a; }',
  'if a; then b; fi',
  '$x a',
  './touch a',
  '/usr/bin/touch a',
  '~/touch a',
  'f() { a; }',

  'touch "a',
  'touch a &&',
  '',
  '   ',
  '# a',
  `touch ${'a'.repeat(2_000)}`,
  'touch a | sh',
  'touch a; sh b',
])('S26: for %j nothing is', (command) => {
  expect(suggestCommandRules(command)).toEqual([])
})

test('S26 S28: whatever the command, no suggested rule could allow any command', () => {
  const word = fc.constantFrom(
    'git',
    'push',
    'sh',
    'touch',
    'a',
    '*',
    '&&',
    '|',
    ';',
    '"',
    '$x',
    '>',
    '\n',
    'npm',
    'run',
    '-c',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), fc.string(), (words, text) => {
      for (const command of [words.join(' '), `${words.join(' ')} ${text}`])
        for (const rule of suggestCommandRules(command))
          expect(couldAllowAnyCommand(`Bash(${rule})`)).toBe(false)
    }),
    { numRuns: runs(2_000) },
  )
})
