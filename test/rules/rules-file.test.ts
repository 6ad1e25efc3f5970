import { describe, expect, test } from 'vitest'
import { parseRules } from '../../src/rules/rules-file.ts'
import { rulesOf } from './rules-rig.ts'

const examples = (match: string, notMatch: string) => ({ examples: { match, not_match: notMatch } })

describe('a rule that could allow more than it names is refused', () => {
  test.each([
    [{ tool: 'Bash' }, 'allows Bash without command'],
    [{ tool: 'B*' }, 'by a wildcard'],
    [{ command: '* test' }, 'without its program'],
    [{ command: 'g* status' }, 'without its program'],
    [{ command: 'bash *' }, 'bash runs other programs'],
    [{ command: 'git|env *' }, 'runs other programs'],
    [{ command: 'npm exec *' }, 'runs other programs'],
    [{ command: 'git *' }, 'runs other programs'],
    [{ tool: 'Write' }, 'give path'],
    [{ tool: 'ExitPlanMode' }, 'an answer of its own'],
    [{ mcp: { server: '*' } }, 'name each server'],
    [{ path: '.' }, 'needs tool'],
    [{}, 'says neither'],
    [{ tool: 'Read', command: 'ls' }, 'its tool must be one that runs commands'],
  ])('%j', (rule, sentence) => {
    expect(() => rulesOf([{ id: 'wide', effect: 'allow', ...rule }])).toThrow(`the rule wide`)
    expect(() => rulesOf([{ id: 'wide', effect: 'allow', ...rule }])).toThrow(sentence)
  })
})

test('[U9] a rule whose examples do not hold is refused, with the rule and the example', () => {
  const rule = { id: 'a', effect: 'deny', command: 'git push *', because: 'No.' }
  expect(() => rulesOf([{ ...rule, examples: { match: ['git push', 'git pull'] } }])).toThrow(
    'the rule a does not match its example "git pull"',
  )
  expect(() => rulesOf([{ ...rule, examples: { not_match: ['ls; git push'] } }])).toThrow(
    'the rule a matches "ls; git push", which its examples say it does not',
  )
  const both = { match: ['git push', 'ls && git push x'], not_match: ['git pull', 'echo git push'] }
  expect(rulesOf([{ ...rule, examples: both }]).rules.rules).toHaveLength(1)
})

test('examples of a path, a host and an MCP tool', () => {
  const rules = [
    { id: 'a', effect: 'allow', tool: 'Edit|Write', path: '.', ...examples('src/a.ts', '../b.ts') },
    {
      id: 'b',
      effect: 'allow',
      tool: 'WebFetch',
      host: '*.example.com',
      ...examples('a.example.com', 'example.org'),
    },
    { id: 'c', effect: 'ask', mcp: { server: 'x' }, ...examples('mcp__x__y', 'mcp__y__x') },
    { id: 'd', effect: 'deny', path: '~/.ssh', because: 'Keys.', ...examples('~/.ssh/id', 'src/a.ts') },
  ]
  expect(() => rulesOf(rules.slice(0, 3))).not.toThrow()
  // A tool gets full paths: the tilde is a matter of the shell.
  expect(() => rulesOf(rules)).toThrow('the rule d does not match its example')
})

describe('a file that is not a list of rules is refused in one sentence', () => {
  test.each([
    ['', 'it is not JSON from line 1, column 1 on.'],
    ['[]', 'it must be an object with v, forbid and rules.'],
    ['{"v":2}', 'v must be 1.'],
    ['{"v":1,"rules":[{"id":"a","effect":"allow","commmand":"x"}]}', 'There is no field commmand here'],
    ['{"v":1,"rules":[{"id":"a b","effect":"ask","tool":"Read"}]}', 'id may have letters'],
    ['{"v":1,"rules":[{"id":"a","effect":"maybe","tool":"Read"}]}', 'effect must be allow, deny or ask.'],
    ['{"v":1,"rules":[{"id":"a","effect":"deny","tool":"Read"}]}', 'needs because'],
    [`{"v":1,"rules":[{"id":"a","effect":"ask","tool":"${'(a+)+'.repeat(200)}"}]}`, 'at most 500 characters'],
    [
      '{"v":1,"rules":[{"id":"a","effect":"ask","tool":"x"},{"id":"a","effect":"ask","tool":"x"}]}',
      'two rules',
    ],
    ['{"v":1,"rules":[{"id":"a","effect":"ask","tool":"\\u001b[2J"}]}', 'no control characters'],
    [' '.repeat(10 << 20), 'it is larger than 1 MiB'],
  ])('%.60s', (text, sentence) => {
    expect(() => parseRules(text)).toThrow(sentence)
  })
})

const repositoryFile = (effect: string) =>
  parseRules(`{"v":1,"rules":[{"id":"a","effect":"${effect}","command":"make","because":"x"}]}`, 'repository')

test('[8] a repository may only refuse and ask', () => {
  expect(repositoryFile('deny').rules.rules).toHaveLength(1)
  expect(() => repositoryFile('allow')).toThrow('effect must be deny or ask here')
  expect(() => parseRules('{"v":1,"forbid":[]}', 'repository')).toThrow('a repository forbids nothing')
})
