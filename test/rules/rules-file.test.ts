import { describe, expect, test } from 'vitest'
import { NarrowingRules, parseRules } from '../../src/rules/rules-file.ts'
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
    [{ command: 'npm test|exec *' }, 'runs other programs'],
    [{ command: ['make', 'npm exec *'] }, 'runs other programs'],
    [{ tool: 'Write' }, 'give path'],
    [{ tool: 'ExitPlanMode' }, 'an answer of its own'],
    [{ mcp: { server: '*' } }, 'name each server'],
    [{ path: '.' }, 'needs tool'],
    [{}, 'says neither'],
    [{ tool: 'Read', command: 'ls' }, 'its tool must be one that runs commands'],
    [{ tool: ['Bash', 'Read'], command: 'ls' }, 'its tool must be one that runs commands'],
    [{ tool: 'Grep | Bash', path: '.' }, 'allows Bash without command'],
    [{ command: 'ls', answerers: 'person' }, 'has answerers, which only a rule that asks can have'],
    [{ command: 'ls', timeout: 5 }, 'has timeout, which only a rule that asks can have'],
    [{ tool: 'Read', path: '.', redirect: 'inside' }, 'has redirect'],
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

const problem = (rule: object) => () => rulesOf([{ id: 'a', because: 'No.', ...rule }])

describe('a rule that refuses or asks', () => {
  test('has no redirect, and only one that asks says who answers and how long', () => {
    expect(problem({ effect: 'ask', command: 'ls', redirect: 'inside' })).toThrow('has redirect')
    expect(problem({ effect: 'deny', command: 'ls', answerers: 'person' })).toThrow('has answerers')
    expect(problem({ effect: 'deny', command: 'ls', timeout: 0 })).toThrow('has timeout')
    expect(problem({ effect: 'ask', command: 'ls', answerers: 'person', timeout: 0 })).not.toThrow()
    expect(problem({ effect: 'ask', tool: '*' })).not.toThrow()
  })

  test('that forbids or denies has a reason', () => {
    expect(() => rulesOf([], [{ id: 'f', command: 'ls' }])).toThrow('the rule f needs because')
    expect(() => rulesOf([{ id: 'a', effect: 'ask', command: 'ls' }])).not.toThrow()
  })

  test.each(['person', 'operator', 'client', 'device', 'session', 'client ci', 'device phone'])(
    'may name %s',
    (name) => {
      expect(problem({ effect: 'ask', command: 'ls', answerers: name })).not.toThrow()
    },
  )

  test.each(['a person', 'persons', 'client ', 'device a b', 'session x', 'root'])(
    'may not name %j',
    (name) => {
      expect(problem({ effect: 'ask', command: 'ls', answerers: ['person', name] })).toThrow(
        'answerers must be',
      )
    },
  )
})

test('an error names the line and the column of the rule', () => {
  const text =
    '{\n  "v": 1,\n  "forbid": [],\n  "rules": [\n    { "id": "a", "effect": "allow", "tool": "Bash" }\n  ]\n}'
  expect(() => parseRules(text)).toThrow('line 5, column 5: the rule a allows Bash without command')
  const second =
    '{"v":1,"rules":[{"id":"a","effect":"ask","tool":"x"},\n{"id":"b","effect":"deny","tool":"x"}]}'
  expect(() => parseRules(second)).toThrow('line 2, column 1: the rule b needs because')
})

test('a list that is left out has no rules, and a file of exactly 1 MiB is read', () => {
  const { forbid, rules } = parseRules('{"v":1}')
  expect([forbid.rules, rules.rules]).toEqual([[], []])
  expect(parseRules('{"v":1}', 'repository').rules.rules).toEqual([])
  expect(() => parseRules('{"v":1}'.padEnd(1 << 20))).not.toThrow()
  expect(() => parseRules('{"v":1}'.padEnd((1 << 20) + 1))).toThrow('larger than 1 MiB')
})

const issue = (rule: object) =>
  NarrowingRules.safeParse([{ id: 'a', effect: 'deny', because: 'No.', ...rule }]).error?.issues[0]?.message

test('rules of a start option are checked as those of a file are', () => {
  expect(issue({ command: 'ls' })).toBeUndefined()
  expect(issue({})).toBe('the rule a says neither tool, command, path, host nor mcp.')
  expect(issue({ command: 'ls', examples: { match: 'cat' } })).toBe(
    'the rule a does not match its example "cat".',
  )
  expect(issue({ command: 'ls', effect: 'allow' })).toContain('effect must be deny or ask here')
})

test('examples of a rule that forbids, and of conditions that say nothing about what it matches', () => {
  const tried = { match: ['rm -rf x', 'sudo rm -rf x'], not_match: ['rm x'] }
  expect(() => rulesOf([], [{ id: 'f', command: 'rm -rf *', because: 'No.', examples: tried }])).not.toThrow()
  const elsewhere = {
    folder: '/other',
    mode: 'plan',
    caller: 'client ci',
    session: 'web',
    tree: 'web',
    expires: '1999-01-01T00:00:00Z',
  }
  const rule = { id: 'a', effect: 'deny', command: 'rm *', because: 'No.', ...elsewhere }
  expect(() => rulesOf([{ ...rule, examples: { match: ['rm x'], not_match: ['ls'] } }])).not.toThrow()
  expect(() => rulesOf([{ ...rule, examples: { match: ['ls'] } }])).toThrow('does not match its example')
  const spaced = { id: 's', effect: 'ask', tool: ' Write | Edit', path: '/a', examples: { match: ['/a/b'] } }
  expect(() => rulesOf([spaced])).not.toThrow()
  const harmless = { id: 'h', effect: 'allow', command: 'make', examples: { not_match: ['make && pwd'] } }
  expect(() => rulesOf([harmless])).not.toThrow()
})
