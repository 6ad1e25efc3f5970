import { describe, expect, test } from 'vitest'
import { aContext, bash, rulesOf, verdictOn } from './rules-rig.ts'

const because = 'Private.'
const base = aContext()
const FOLDERS = [
  '/',
  '/work',
  '/code',
  '/code/web',
  '/code/web/src',
  '/code/web/src/secret',
  '/code/web/docs',
]
const disk = {
  ...base.place.files,
  realPath: (path: string) =>
    FOLDERS.includes(path.replace(/\/\.?$/, '') || '/') ? path.replace(/\/\.?$/, '') || '/' : undefined,
  hasEntry: (path: string) => FOLDERS.includes(path),
  names: (folder: string) => (folder === '/code/web/src' ? ['secret', 'a.ts'] : []),
}
const context = aContext({ place: { ...base.place, files: disk } })
const FORBID = rulesOf(
  [
    { id: 'tools', effect: 'allow', tool: 'Grep|Glob|Read', path: '.' },
    { id: 'programs', effect: 'allow', command: ['cp *', 'grep *', 'rg *', 'cat *', 'mv *'] },
  ],
  [{ id: 'secret', path: 'src/secret', because }],
)
const DENY = rulesOf([
  { id: 'secret', effect: 'deny', path: 'src/secret', because },
  { id: 'tools', effect: 'allow', tool: 'Grep|Glob|Read', path: '.' },
  { id: 'programs', effect: 'allow', command: ['cp *', 'grep *', 'rg *', 'cat *', 'mv *'] },
])
const WHY = 'The call reaches all that lies in a folder, and what this rule is about lies in it.'

describe('[U6] a search of a folder above a path that a rule refuses is asked about (asked for: 6)', () => {
  test.each([
    'grep -r key .',
    'grep -rn key',
    'grep --recursive key src',
    'grep -d recurse key src',
    'rg key',
    'rg key src',
    'rg -t src key',
    'rg key -t docs',
    'grep -r -m src key',
    'grep -r --color key docs',
    'git grep key',
    'cp -r src /tmp/x',
    'cp -a . ../copy',
    'tar cf x.tar .',
    'tar -czf x.tar src',
    'zip -r x.zip .',
    'mv src other',
    'rm -rf src',
    'rsync -a ./ host:x',
    'diff -r src docs',
    'cd src && grep -r key .',
    'cd .. && rg key',
    'for x in 1; do grep -r key .; done',
    'sudo grep -r key src',
  ])('%j', (line) => {
    for (const rules of [FORBID, DENY])
      expect(verdictOn(bash(line), rules, context)).toMatchObject({
        effect: 'ask',
        ruleId: 'secret',
        because: WHY,
      })
  })

  test.each<[string, object]>([
    ['Grep', { pattern: 'key' }],
    ['Grep', { pattern: 'key', path: '/code/web' }],
    ['Grep', { pattern: 'key', path: 'src' }],
    ['Glob', { pattern: '**/*', path: '/code' }],
    ['Glob', { pattern: '**/*' }],
  ])('%s with %j', (toolName, input) => {
    for (const rules of [FORBID, DENY])
      expect(verdictOn({ toolName, input, cwd: '/code/web' }, rules, context)).toMatchObject({
        effect: 'ask',
        ruleId: 'secret',
        because: WHY,
      })
  })

  test('what the shell puts in for a wildcard is refused by its name', () => {
    expect(verdictOn(bash('cat src/*'), DENY, context).effect).toBe('deny')
    expect(verdictOn(bash('cat src/*'), FORBID, context).effect).toBe('forbid')
  })

  test('a path with a wildcard could lie in any folder that is searched', () => {
    const rules = rulesOf([], [{ id: 'pem', path: '*.pem', because }])
    expect(verdictOn(bash('grep -r key docs'), rules, context).effect).toBe('ask')
    expect(verdictOn(bash('grep key docs/a'), rules, context).effect).toBe('none')
  })
})

test.each([
  'grep key src/a.ts',
  'grep -r key docs',
  'rg key docs',
  'cp a b',
  'ls src',
  'cd src && ls',
  'git status',
  'rm src/a.ts',
])('%j reaches nothing of it, and is decided as before', (line) => {
  expect(verdictOn(bash(line), FORBID, context).ruleId).not.toBe('secret')
})

test('of a path that is not there nothing can be read', () => {
  const rules = rulesOf([], [{ id: 'env', path: '.env', because }])
  expect(verdictOn(bash('grep -r key .'), rules, context).effect).toBe('none')
})

test('a search of another folder, and a file beside it, are decided as before', () => {
  expect(
    verdictOn({ toolName: 'Grep', input: { path: 'docs' }, cwd: '/code/web' }, FORBID, context).effect,
  ).toBe('allow')
  expect(
    verdictOn({ toolName: 'Read', input: { file_path: 'src/a.ts' }, cwd: '/code/web' }, FORBID, context)
      .effect,
  ).toBe('allow')
})
