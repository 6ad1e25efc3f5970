import { describe, expect, test } from 'vitest'
import { aContext, bash, effectOn, rulesOf, verdictOn } from './rules-rig.ts'

const because = 'Ask the owner of the branch first.'
const GIT = rulesOf(
  [
    { id: 'docs', effect: 'allow', command: 'git push origin docs' },
    { id: 'push', effect: 'deny', command: 'git push *', because },
    { id: 'git', effect: 'allow', command: ['git status|log|diff *', 'npm test|ci *'] },
    { id: 'commit', effect: 'ask', command: 'git commit *' },
  ],
  [{ id: 'force', command: ['git push * --force *', 'git push * -f *', 'rm -rf *'], because }],
)

describe('[U6] every command of a line counts (asked for: 6)', () => {
  test.each([
    ['git status', 'allow'],
    ['git status && git diff HEAD~1', 'allow'],
    ['git status; npm test | cat', 'allow'],
    ['cd src && git status', 'allow'],
    ['cd .. && git status', 'none'],
    ['git status 2>&1', 'allow'],
    ['git status > /dev/null', 'allow'],
    ['git status > list.txt', 'none'],
    ['git status && make', 'none'],
    ['git status & make', 'none'],
    ['git status $(make)', 'none'],
    ['git status `make`', 'none'],
    ['bash -c "git status"', 'none'],
    ['A=1 git status', 'none'],
    ['./git status', 'none'],
    ['gіt status', 'none'],
    ['git stat\\\nus', 'allow'],
    ["git $'status'", 'allow'],
    ['git push origin docs', 'allow'],
    ['git push origin docs && git push', 'deny'],
    ['git push', 'deny'],
    ['/usr/bin/git push origin main', 'deny'],
    ['GIT push', 'deny'],
    ['git log && (cd /; git push)', 'deny'],
    ['for x in 1 2; do git push; done', 'deny'],
    ['f() { git push; }; f', 'deny'],
    ['echo "$(git push)"', 'deny'],
    ['cat <(git push)', 'deny'],
    ['git commit -m "$(cat note)"', 'ask'],
    ['git status; git commit -m x', 'ask'],
    ['echo git push', 'none'],
    ['git $x', 'ask'],
    ['$x push', 'ask'],
    ['git status; fi', 'ask'],
    ['', 'none'],
  ])('%s: %s', (line, effect) => {
    expect(effectOn(line, GIT)).toBe(effect)
  })
})

describe('what is forbidden is found in other commands too (asked for: 6)', () => {
  test.each([
    ['git push --force', 'forbid'],
    ['git push origin main --force', 'forbid'],
    ['sudo -u root rm -rf /', 'forbid'],
    ['env A=1 B=2 rm -rf x', 'forbid'],
    ['ls | xargs rm -rf', 'forbid'],
    ['nohup timeout 5 rm -rf x', 'forbid'],
    ['find . -name x -exec rm -rf {} ;', 'forbid'],
    ['bash -c "cd x && rm -rf y"', 'forbid'],
    [`sh -c 'bash -c "rm -rf y"'`, 'forbid'],
    ['eval "rm -rf y"', 'forbid'],
    ['bash <<EOF\nrm -rf x\nEOF', 'forbid'],
    ['bash <<< "rm -rf x"', 'forbid'],
    ['echo "rm -rf x" | sh', 'ask'],
    ['zsh-5.9 -c "rm -rf x"', 'forbid'],
    ['ksh93 <<< "rm -rf x"', 'forbid'],
    ['echo "rm -rf x" | zsh-5.9', 'ask'],
    ['r\\m -rf x', 'forbid'],
    ['"rm" -rf x', 'forbid'],
    ['alias d=rm; d -rf x', 'ask'],
    ['rm $flags x', 'ask'],
    ['rm -r x', 'none'],
    ['echo "rm -rf x"', 'none'],
    ['git commit -m "never rm -rf x"', 'ask'], // by the rule for commits
  ])('%s: %s', (line, effect) => {
    expect(effectOn(line, GIT)).toBe(effect)
  })

  test('a command of 1 MB and one that is nested 10,000 deep are asked about', () => {
    expect(effectOn(`echo ${'a '.repeat(500_000)}; rm -rf x`, GIT)).toBe('ask')
    expect(effectOn(`${'('.repeat(10_000)}rm -rf x${')'.repeat(10_000)}`, GIT)).toBe('ask')
    expect(effectOn('function f '.repeat(1_800), GIT)).toBe('ask')
    expect(effectOn(`echo ${'{a,'.repeat(6_000)}`, GIT)).toBe('ask')
    expect(effectOn('echo a', GIT)).toBe('none')
  })
})

test('[U9] a verdict names its list, its rule and the reason (asked for: 9)', () => {
  expect(verdictOn(bash('git push'), GIT)).toEqual({
    effect: 'deny',
    drawer: 'rules',
    ruleId: 'push',
    text: 'deny command "git push *"',
    because,
  })
  expect(verdictOn(bash('git status && npm test'), GIT)).toMatchObject({ effect: 'allow', ruleId: 'git' })
  expect(verdictOn(bash('git push -f'), GIT)).toMatchObject({ drawer: 'forbid', ruleId: 'force' })
})

test('a rule for the whole tool counts where no earlier rule allows the command', () => {
  const rules = rulesOf([
    { id: 'status', effect: 'allow', command: 'git status' },
    { id: 'rest', effect: 'ask', tool: 'Bash' },
  ])
  expect(effectOn('git status', rules)).toBe('allow')
  expect(effectOn('git log', rules)).toBe('ask')
  expect(effectOn('git status && git log', rules)).toBe('ask')
  expect(effectOn('/tmp/git status', rules)).toBe('ask')
  expect(effectOn('((', rules)).toBe('ask')
})

test('a path counts after links are resolved, also where it is named in a command', () => {
  const rules = rulesOf(
    [{ id: 'edit', effect: 'allow', tool: 'Write|Edit', path: '.' }],
    [{ id: 'keys', path: '~/.ssh', because: 'Keys are private.' }],
  )
  const file = (toolName: string, file_path: string) =>
    verdictOn({ toolName, input: { file_path }, cwd: '/code/web' }, rules).effect
  expect(file('Write', '/code/web/src/a.ts')).toBe('allow')
  expect(file('Write', '/code/web/src/../../other/a.ts')).toBe('none')
  expect(file('Write', '/code/web/out/a.ts')).toBe('none')
  expect(file('Write', '/code/web/.git/hooks/pre-commit')).toBe('none')
  expect(file('Write', '/code/web/.claude/settings.json')).toBe('none')
  expect(file('Read', '/code/web/src/a.ts')).toBe('none')
  expect(file('Read', '/code/web/out/.ssh/id')).toBe('forbid')
  expect(file('Read', '/home/me/.ssh/')).toBe('forbid')
  expect(effectOn('cat ~/.ssh/id_rsa', rules)).toBe('forbid')
  expect(effectOn('cat "$HOME/.ssh/id_rsa"', rules)).toBe('forbid')
  expect(effectOn('cat out/.ssh/id_rsa', rules)).toBe('forbid')
  expect(effectOn('cat src/a.ts', rules)).toBe('none')
})

test('[17] no rule allows the files of Plexus, or a folder that holds them', () => {
  const rules = rulesOf([{ id: 'all', effect: 'allow', tool: 'Read|Grep', path: '/' }])
  const read = (path: string) =>
    verdictOn({ toolName: 'Grep', input: { path }, cwd: '/code/web' }, rules).effect
  expect(read('/home/me/.local/state/plexus/operator.token')).toBe('none')
  expect(read('/home/me')).toBe('none')
  expect(read('/work')).toBe('allow')
})

test('[7] a tool that no rule names is never allowed, and hosts and MCP tools are named', () => {
  const rules = rulesOf([
    { id: 'docs', effect: 'allow', tool: 'WebFetch', host: '*.example.com' },
    { id: 'issues', effect: 'allow', mcp: { server: 'tracker', tool: 'read_*' } },
  ])
  const effect = (toolName: string, input: object = {}) => verdictOn({ toolName, input }, rules).effect
  expect(effect('WebFetch', { url: 'https://docs.example.com/a' })).toBe('allow')
  expect(effect('WebFetch', { url: 'https://example.com.evil.org/a' })).toBe('none')
  expect(effect('WebFetch', { url: 'https://evil.org/@docs.example.com' })).toBe('none')
  expect(effect('WebFetch', { url: 'https://docs.example.com@evil.org/' })).toBe('none')
  expect(effect('mcp__tracker__read_issue')).toBe('allow')
  expect(effect('mcp__tracker__delete_issue')).toBe('none')
  expect(effect('mcp__other__read_issue')).toBe('none')
  expect(effect('SomethingNew')).toBe('none')
})

test('[9] a rule holds until the very moment at which it expires', () => {
  const expires = '2026-11-01T00:00:00Z'
  const rules = rulesOf([{ id: 'a', effect: 'allow', command: 'make', expires }])
  const at = (now: number) => effectOn('make', rules, aContext({ now }))
  expect([at(Date.parse(expires) - 1), at(Date.parse(expires))]).toEqual(['allow', 'none'])
})

test('[15] what a session may not do, the sessions below it may not do either', () => {
  const rules = rulesOf([
    { id: 'deny', effect: 'deny', command: 'make', session: 'parent', because },
    { id: 'allow', effect: 'allow', command: 'make|ninja', session: 'parent' },
    { id: 'tree', effect: 'allow', command: 'tsc', tree: 'parent' },
  ])
  const below = aContext({
    sessions: [
      { id: 'b', name: 'child' },
      { id: 'a', name: 'parent' },
    ],
  })
  expect(effectOn('make', rules, below)).toBe('deny')
  expect(effectOn('ninja', rules, below)).toBe('none')
  expect(effectOn('tsc', rules, below)).toBe('allow')
  expect(effectOn('tsc', rules)).toBe('none')
})

test('conditions on the mode, the caller and the folder', () => {
  const rules = rulesOf([
    { id: 'mode', effect: 'allow', command: 'make', mode: 'acceptEdits' },
    { id: 'caller', effect: 'allow', command: 'ninja', caller: 'client nightly' },
    { id: 'folder', effect: 'allow', command: 'tsc', folder: '/code/web/src' },
  ])
  expect(verdictOn({ ...bash('make'), mode: 'acceptEdits' }, rules).effect).toBe('allow')
  expect(effectOn('make', rules)).toBe('none')
  expect(effectOn('ninja', rules, aContext({ caller: 'client nightly' }))).toBe('allow')
  expect(effectOn('ninja', rules)).toBe('none')
  expect(verdictOn(bash('tsc', '/code/web/src'), rules).effect).toBe('allow')
  expect(effectOn('tsc', rules)).toBe('none')
  expect(verdictOn({ ...bash('tsc'), cwd: undefined }, rules).effect).toBe('none')
})

test('a file that the shell writes must be named by the rule, and lie in the folders of the session (asked for: 6)', () => {
  const rules = rulesOf([{ id: 'a', effect: 'allow', command: 'make', redirect: 'inside' }])
  expect(effectOn('make > log.txt', rules)).toBe('allow')
  expect(effectOn('make > out/log.txt', rules)).toBe('none')
  expect(effectOn('make > .git/config', rules)).toBe('none')
  expect(effectOn('make > ../log.txt', rules)).toBe('none')
})

test('of 897 rules the one that decided is named, with its text, wherever it stands (asked for: 9)', () => {
  const many = rulesOf(
    Array.from({ length: 897 }, (_, index) => ({
      id: `r${index}`,
      effect: 'allow',
      command: `tool${index} run *`,
    })),
  )
  for (const index of [0, 448, 896])
    expect(verdictOn(bash(`tool${index} run x`), many)).toMatchObject({
      effect: 'allow',
      drawer: 'rules',
      ruleId: `r${index}`,
      text: expect.stringContaining(`tool${index} run *`),
    })
  expect(verdictOn(bash('tool897 run x'), many)).toEqual({ effect: 'none' })
})

test('what cannot be parsed is asked about where a rule refuses or asks, and allowed nowhere (asked for: 6)', () => {
  for (const line of [
    'git status; fi',
    'git status &&',
    'git status "',
    'git status $(',
    `${'('.repeat(2_000)}git status`,
  ]) {
    expect([line, effectOn(line, GIT)]).toEqual([line, 'ask'])
    const allowing = rulesOf([{ id: 'status', effect: 'allow', command: 'git status *' }])
    expect([line, effectOn(line, allowing)]).toEqual([line, 'none'])
  }
})
