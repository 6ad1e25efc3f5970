import { describe, expect, test } from 'vitest'
import { fileOperands } from '../../src/shell/harmless-uses/harmless-options.ts'
import { configRunsNothing, harmlessGitUse } from '../../src/shell/harmless-uses/harmless-git.ts'

/** The operands of a git command that may name files; undefined where it is not known to be harmless. */
function operandsOf(line: string): string[] | undefined {
  const args = line.split(' ').map((text) => ({ text, pattern: false }))
  const use = harmlessGitUse(args)
  return use && fileOperands(use.harmless, args.slice(use.rest))?.map(({ text }) => text)
}

describe('a git command that only reads', () => {
  test.each<[string, string[]]>([
    ['status', []],
    ['status -sb --porcelain --untracked-files=no', []],
    ['--no-pager status --ignored', []],
    ['log -p -n5 --oneline --graph --since=1.week a', ['a']],
    ['log -5 --format=%h --stat -- a', ['a']],
    ['diff --cached --name-only -U3 a', ['a']],
    ['show --stat --no-patch HEAD', ['HEAD']],
    ['rev-parse --show-toplevel', []],
    ['rev-parse --abbrev-ref HEAD', ['HEAD']],
    ['rev-list --count -n1 HEAD', ['HEAD']],
    ['ls-files -o --exclude-standard --others', []],
    ['ls-tree -r --name-only HEAD', ['HEAD']],
    ['blame -L1,2 --porcelain a', ['a']],
    ['shortlog -sn --all', []],
    ['describe --tags --always', []],
    ['branch -a --list', []],
    ['branch --show-current', []],
    ['tag -l', []],
    ['tag --list', []],
    ['remote -v', []],
    ['remote --verbose', []],
    ['grep -n --ignore-case x a', ['a']],
    ['grep -e x a', ['x', 'a']],
    ['merge-base --all a b', ['a', 'b']],
    ['name-rev --name-only HEAD', ['HEAD']],
    ['count-objects -vH', []],
    ['check-ignore -v a', ['a']],
    ['stash list', []],
    ['worktree list', []],
    ['--no-pager stash list', []],
  ])('%s names the files %j', (line, files) => {
    expect(operandsOf(line)).toEqual(files)
  })
})

describe('a git command that could do more', () => {
  test.each([
    '',
    'push',
    'commit -m x',
    'fetch',
    'config -l',
    'stash',
    'stash pop',
    'stash list x',
    'worktree add x',
    'branch new',
    'branch list',
    'tag list',
    'branch -D old',
    'branch --delete old',
    'tag new',
    'tag -d old',
    'remote add a b',
    'remote -x',
    'count-objects x',
    'status --x',
    'status -x',
    'log --output=x',
    'diff --ext-diff',
    'diff --no-index a b',
    'diff --output=x',
    'show --textconv',
    'show -x',
    'rev-parse --parseopt',
    'rev-parse -x',
    'rev-list --x',
    'ls-files -X x',
    'ls-files --exclude-from=x',
    'ls-tree -x',
    'blame --contents x a',
    'blame -S x a',
    'shortlog --x',
    'describe --x',
    'grep -f x',
    'grep -O x a',
    'grep --open-files-in-pager x a',
    'grep --no-index x a',
    'merge-base --x',
    'name-rev --stdin',
    'check-ignore --stdin',
    '-C x status',
    '-c core.pager=sh status',
    '--git-dir=x status',
    '--no-pager',
    '--paginate log',
  ])('%j is not known', (line) => {
    expect(operandsOf(line)).toBeUndefined()
  })
})

describe('a configuration runs nothing', () => {
  test.each([
    '',
    '# [filter "x"]\n; [filter "y"]\n\n',
    '[core]\n\tbare = false\n\tfilemode = true\n\trepositoryformatversion = 0',
    '[ CORE ]\nIgnoreCase = true',
    '[remote  "origin"]\nurl = x',
    '[remote "origin"]\nurl = https://host/x\nfetch = +refs/*:refs/*',
    '[branch "a\\"b]"]\nremote = origin',
    '[user]\nname = Ann',
    '[color]\nui = auto',
    '[merge]\nff = only',
    '[commit]\nverbose = true',
    '[extensions]\nworktreeConfig = true',
    '[lfs]\nrepositoryformatversion = 0',
    ...['pull', 'push', 'init', 'fetch', 'advice', 'rebase', 'status', 'gc', 'index'].map(
      (name) => `[${name}]\na = b`,
    ),
  ])('%j', (text) => {
    expect(configRunsNothing(text)).toBe(true)
  })
})

describe('a configuration could run something', () => {
  test.each([
    '[core]\nfsmonitor = sh',
    '[core]\npager = sh',
    '[core]\nsshCommand = sh',
    '[core]\nhooksPath = x',
    '[core] fsmonitor = sh',
    '[core]\nbare = false \\\nfsmonitor = sh',
    '[filter "x"]\nclean = sh',
    '[diff "x"]\ntextconv = sh',
    '[include]\npath = x',
    '[includeIf "gitdir:x"]\npath = x',
    '[alias]\na = !sh',
    '[credential]\nhelper = sh',
    '[remote "origin"]\nuploadpack = sh',
    '[remote "origin"]\nReceivePack = sh',
    '[remote "origin"]\nvcs = x',
    '[remote "origin"]\npromisor = true',
    '[extensions]\npartialclone = origin',
    '[color]\npager = true',
    '[merge]\ntool = x',
    '[merge "x"]\ndriver = sh',
    '[commit]\ntemplate = x',
    '[commit]\ngpgsign = true',
    '[lfs]\nurl = x',
    'fsmonitor = sh',
    'x [core]\nbare = false',
    '[core]\n.bare = false',
    '[core\nfsmonitor = sh',
    '[user]\nname = Ann\n[core]\nfsmonitor = sh',
    '[core]\nbare = false\n[filter "x"]\nclean = sh',
  ])('%j', (text) => {
    expect(configRunsNothing(text)).toBe(false)
  })
})

test('git alone is not known', () => {
  expect(harmlessGitUse([])).toBeUndefined()
})
