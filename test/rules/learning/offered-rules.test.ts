import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileRules } from '../../../src/rules/compiled-rules.ts'
import { decideByList } from '../../../src/rules/decide.ts'
import { offeredRules } from '../../../src/rules/learning/offered-rules.ts'
import type { RuleCall } from '../../../src/rules/rule-call.ts'
import { aContext, bash } from '../rules-rig.ts'

const context = aContext()
const commandsFor = (line: string) =>
  offeredRules(bash(line), context).map(({ command }) => command?.join(', '))
const call = (toolName: string, input: object): RuleCall => ({ toolName, input, cwd: '/code/web' })

const paths = (path: string) =>
  offeredRules(call('Edit', { file_path: path }), context).map((rule) => rule.path)
const ids = (line: string) => offeredRules(bash(line), context).map(({ id }) => id)
const quoted = (all: readonly string[]) => all.map((text) => `'${text.replaceAll("'", `'\\''`)}'`).join(' ')

describe('[1] what is offered for a command, the narrowest first (asked for: 2) (asked for: 6)', () => {
  test.each<[string, string[]]>([
    ['npm run build --if-present', ['npm run build --if-present', 'npm run build *', 'npm run *']],
    ['git commit -m "fix: the port"', [String.raw`git commit -m fix:\ the\ port`, 'git commit *']],
    ['touch a && npm test', ['touch a, npm test', 'touch a *, npm test *', 'touch *, npm test *']],
    ['cd src && make all', ['make all', 'make all *']],
    ['git status && touch a', ['git status, touch a', 'git status *, touch a *', 'git status *, touch *']],
    ['cat src/a.ts | sort && npm test', ['npm test', 'npm test *']],
    ['echo "a|b" "*" x\\\\y', []],
    ['python3 run.py', ['python3 run.py']],
    ['find . -delete', ['find . -delete']],
    ['touch $(date)', []],
    ['touch a &', []],
    ['for x in 1; do touch $x; done', []],
    ['bash -c "touch a"', [String.raw`bash -c touch\ a`]],
    ['A=1 touch a', []],
    ['touch *', []],
    ['touch a; fi', []],
    ['', []],
  ])('%s', (line, offered) => {
    expect(commandsFor(line)).toEqual(offered)
  })

  test('a pipe and a redirect: the rule says that it may write in the folder', () => {
    const [exact] = offeredRules(bash('npm ls > list.txt'), context)
    expect(exact).toMatchObject({ command: ['npm ls'], redirect: 'inside' })
    expect(decideByList(bash('npm ls > list.txt'), context, compileRules([exact!]), 'granted').effect).toBe(
      'allow',
    )
    expect(decideByList(bash('npm ls > /etc/x'), context, compileRules([exact!]), 'granted').effect).toBe(
      'none',
    )
  })

  test('a program by a relative path is offered for its folder alone', () => {
    expect(offeredRules(bash('./run all'), context)[0]).toMatchObject({ folder: '/code/web' })
  })
})

test('files: the file, its folder, the folder of the session; outside it only the file', () => {
  expect(paths('src/lib/a.ts')).toEqual([['/code/web/src/lib/a.ts'], ['/code/web/src/lib'], ['/code/web']])
  expect(paths('/etc/hosts')).toEqual([['/etc/hosts']])
})

test('hosts, servers and other tools: what can be said, and nothing for a tool that nobody knows', () => {
  expect(offeredRules(call('WebFetch', { url: 'https://Example.com/x' }), context)).toMatchObject([
    { tool: ['WebFetch'], host: ['example.com'] },
  ])
  expect(offeredRules(call('mcp__github__get_issue', {}), context)).toMatchObject([
    { mcp: { server: 'github', tool: ['get_issue'] } },
  ])
  for (const tool of ['Agent', 'Skill', 'ExitPlanMode', 'AskUserQuestion', 'SomethingNew'])
    expect(offeredRules(call(tool, { prompt: 'x' }), context)).toEqual([])
})

test('a rule has the same id whenever it is offered, and another rule another id', () => {
  expect(ids('npm test a')).toEqual(ids('npm test a'))
  expect(new Set([...ids('npm test a'), ...ids('npm test b')]).size).toBe(5)
})

const word = oneof(
  constantFrom(
    'npm',
    'git',
    'run',
    'status',
    '-v',
    'a*b',
    'a|b',
    "it's",
    'a b',
    '..',
    '\\',
    '"',
    '$x',
    '>',
    '~',
  ),
  string({ minLength: 1, maxLength: 6 }),
)

test('[1] whatever the words are: the first offer allows them, and no other word in their place', () => {
  assert(
    property(array(word, { minLength: 1, maxLength: 4 }), word, (words, other) => {
      const [exact] = offeredRules(bash(quoted(words)), context)
      if (!exact) return
      const list = compileRules([exact])
      expect(decideByList(bash(quoted(words)), context, list, 'granted').effect).toBe('allow')
      const changed = [...words.slice(0, -1), other]
      if (changed.join('\0') === words.join('\0')) return
      expect(decideByList(bash(quoted(changed)), context, list, 'granted').effect).toBe('none')
    }),
    { numRuns: 400 },
  )
})

test.each<[string, RuleCall]>([
  ['a command that leaves the sandbox', call('Bash', { command: 'make', dangerouslyDisableSandbox: true })],
  ['a command of another tool', call('PowerShell', { command: 'make' })],
  ['a command that is no text', call('Bash', { command: 7 })],
  ['a command in a folder that is gone', bash('make', '/gone')],
  ['a line that is longer than a person reads', bash(`make ${'a'.repeat(496)}`)],
  ['a file that is not named', call('Read', {})],
  ['a file that a pattern could not name', call('Read', { file_path: '/code/web/a*b' })],
  ['an address that is none', call('WebFetch', { url: 'nothing' })],
  ['what only looks like a tool of MCP', call('x_mcp__a__b', {})],
  ['a server of MCP without a tool', call('mcp__a', {})],
])('nothing is offered for %s', (_, asked) => {
  expect(offeredRules(asked, context)).toEqual([])
})

test('a rule is offered for the longest line that a person reads', () => {
  expect(offeredRules(bash(`make ${'a'.repeat(495)}`), context)).not.toEqual([])
})

test('a search in the web is offered, and names of MCP are taken literally', () => {
  expect(offeredRules(call('WebSearch', {}), context)).toMatchObject([
    { effect: 'allow', tool: ['WebSearch'] },
  ])
  expect(offeredRules(call('mcp__a__b__c*', {}), context)).toMatchObject([
    { mcp: { server: 'a', tool: [String.raw`b__c\*`] } },
  ])
})

test('without the folder of the shell the offer is for the folder of the session', () => {
  const [first] = offeredRules({ toolName: 'Bash', input: { command: './run all' } }, context)
  expect(first).toMatchObject({ command: ['./run all'], folder: '/code/web' })
  expect(offeredRules(bash('./run all', '/code/web/src'), context)[0]).toMatchObject({
    folder: '/code/web/src',
  })
  expect(offeredRules({ toolName: 'Read', input: { file_path: 'a.ts' } }, context)[0]).toMatchObject({
    path: ['/code/web/a.ts'],
  })
})

test('a rule says that it may write, or is bound to a folder, only where one of its commands needs it', () => {
  const [plain] = offeredRules(bash('npm ls > /dev/null; touch a'), context)
  expect(plain).not.toHaveProperty('redirect')
  expect(plain).not.toHaveProperty('folder')
  expect(offeredRules(bash('touch a; npm ls > x 2> /dev/null'), context)[0]).toMatchObject({
    redirect: 'inside',
  })
  expect(offeredRules(bash('touch a; ./run'), context)[0]).toMatchObject({ folder: '/code/web' })
  expect(offeredRules(bash('/usr/bin/touch a'), context)[0]).not.toHaveProperty('folder')
})
