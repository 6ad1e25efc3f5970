import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { diskFiles } from '../../src/shell/disk-files.ts'
import { isHarmless, type ShellContext } from '../../src/shell/harmless.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

/** A project beside a secret, with links to it. */
async function project(): Promise<ShellContext & { readonly root: string }> {
  return projectIn(await temporaryFolder())
}

/** For those that only look. */
let shared: ShellContext
beforeAll(async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'plexus-test-')))
  shared = await projectIn(root)
  return () => rm(root, { recursive: true, force: true })
})

async function projectIn(root: string): Promise<ShellContext & { readonly root: string }> {
  const cwd = join(root, 'project')
  const home = join(cwd, 'plexus-home')
  for (const folder of ['project/src/deep', 'project/plexus-home', 'outside/folder'])
    await mkdir(join(root, folder), { recursive: true })
  for (const file of ['project/a.txt', 'project/src/b.ts', 'outside/secret', 'outside/folder/secret'])
    await writeFile(join(root, file), 'text\n')
  await symlink('../outside/secret', join(cwd, 'link'))
  await symlink('../outside/folder', join(cwd, 'linked'))
  await symlink('src/deep', join(cwd, 'inner'))
  await symlink('../outside/nothing', join(cwd, 'dangling'))
  execFileSync('git', ['init', '-q', cwd], { env: { PATH: '/usr/bin:/bin', HOME: root } })
  return { root, files: diskFiles, cwd, bounds: { folders: [cwd], except: [home] }, trusted: false }
}

describe('S23: known to be harmless', () => {
  it.each([
    'ls',
    'ls -la src',
    'ls -1 *.txt',
    'cat a.txt src/b.ts',
    'cat "a.txt"',
    'head -n 5 a.txt',
    'head -5 a.txt',
    'tail -n +3 a.txt | wc -l',
    'grep -rn "from \'x\'" src',
    'grep -n /etc/passwd a.txt',
    'grep -A3 -i text a.txt || true',
    "find . -name '*.ts' -type f",
    'find src -maxdepth 2 -not -path "*/node_modules/*"',
    'git status',
    'git --no-pager log --oneline -5',
    'git diff HEAD~1 -- src/b.ts',
    'git show HEAD:a.txt',
    'cd src && ls deep; pwd',
    'cd src && cat ../a.txt',
    'echo "done: $?"',
    'sort a.txt | uniq -c | sort -rn | head',
    "sed -n '1,20p' a.txt",
    "jq '.scripts | keys' package.json",
    'wc -l < a.txt 2>/dev/null',
    'cat a.txt 2>&1 >/dev/null',
    'node --version',
    'command -v node',
    '[ -f a.txt ]',
    'cat nothing.txt',
    'cat src/../a.txt',
    'ls inner',
    'diff -u a.txt src/b.ts',
  ])('%s', (line) => {
    expect(isHarmless(line, shared)).toBe(true)
  })
})

describe('S23: not known to be harmless', () => {
  it.each([
    '',
    'cat ../outside/secret',
    'cat link',
    'cat linked/secret',
    'cat linked/../secret',
    'cat dangling',
    'cat l*',
    'cat */secret',
    'cat ../*/secret',
    'echo ../*',
    'ls ..',
    'ls /',
    'ls ~',
    'cat $HOME/secret',
    'cat "$(ls)"',
    'cat `ls`',
    'cat <(ls)',
    'cat < ../outside/secret',
    'cat < link',
    'cat <<< text',
    'cat <<EOF\ntext\nEOF',
    'cat {a.txt,link}',
    'cat a.txt > b.txt',
    'cat a.txt &',
    'cat a.txt; rm a.txt',
    'cat a.txt && (ls)',
    'PAGER=sh git log',
    'cat plexus-home/operator.token',
    'ls plexus-home',
    'cd ..; cat outside/secret',
    'cd linked && cat secret',
    'cd inner && cat ../secret',
    'false && cd src; cat ../outside/secret',
    'ls | cd src; cat ../outside/secret',
    'cd src || true; cd -',
    'cd',
    'cat =ls',
    'grep -f link a.txt',
    'grep -R text .',
    'grep --file=link a.txt',
    'grep -e text link',
    'wc --files0-from=link',
    'sort -o a.txt a.txt',
    'sort --compress-program=sh a.txt',
    'uniq a.txt b.txt',
    'date -f link',
    'date 01010000',
    'date -u 01010000',
    'sed -i s/a/b/ a.txt',
    "sed -n 'w out' a.txt",
    "sed -n '1e ls' a.txt",
    'awk 1 a.txt',
    'find . -exec cat {} +',
    'find . -delete',
    'find -L . -name x',
    'find . -fprint out',
    'find . -newer link -name *.ts',
    'xargs cat',
    'env',
    'printenv',
    'ps eww',
    'jq env a.txt',
    'jq -n env',
    'jq --arg keys . env.SECRET',
    "jq '$ENV' a.txt",
    'git -C ../outside status',
    'git -c core.pager=sh log',
    'git diff --no-index a.txt ../outside/secret',
    'git diff --output=out',
    'git log --ext-diff',
    'git branch new',
    'git tag v1',
    'git fetch',
    'git config --get x',
    'bash --version -c ls',
    'bash -v',
    'python3 -v',
    'tail -f a.txt',
    'file @link',
    './ls',
    '/bin/ls',
    '\u0000ls',
    'ls\u00a0..',
    'cat a.txt\rls',
    'printf -v x y',
    'diff -r src linked',
    'diff src plexus-home',
    'diff src inner',
    'diff a.txt link',
    'diff a.txt sr?',
    'eval ls',
    'exec ls',
    'source a.txt',
    '. a.txt',
    'command ls',
    'builtin cd ..',
    'function ls { rm x; }; ls',
    'alias ls=rm',
    'echo "unterminated',
    'tree -o out',
    'rg --pre sh x',
    'rg -L x',
    'ls -L linked',
  ])('%j', (line) => {
    expect(isHarmless(line, shared)).toBe(false)
  })

  it('a pattern whose files look like options', async () => {
    const place = await project()
    await writeFile(join(place.cwd, '-oout'), '')
    expect(isHarmless('sort *', place)).toBe(false)
    expect(isHarmless('sort ./*.txt', place)).toBe(true)
  })

  it('a folder that may be listed but not entered', async () => {
    const place = await project()
    const stubborn = {
      ...place.files,
      realPath: (path: string) => (path.endsWith('/src/.') ? undefined : diskFiles.realPath(path)),
    }
    expect(isHarmless('cd src; cat ../a.txt', { ...place, files: stubborn })).toBe(false)
  })

  it('anything in a folder out of bounds', async () => {
    const place = await project()
    expect(isHarmless('ls', { ...place, cwd: join(place.root, 'outside') })).toBe(false)
    expect(isHarmless('pwd', { ...place, cwd: '/' })).toBe(false)
  })
})

const git = async (set: (place: ShellContext) => Promise<unknown>, line = 'git status') => {
  const place = await project()
  await set(place)
  return isHarmless(line, place)
}
const config = (text: string) => (place: ShellContext) =>
  writeFile(join(place.cwd, '.git/config'), `[core]\n\trepositoryformatversion = 0\n${text}`)

describe('S23: git', () => {
  it.each([
    '\tfsmonitor = ./evil',
    '\thooksPath = hooks',
    '\tworktree = /',
    '[diff]\n\texternal = ./evil',
    '[diff "x"]\n\ttextconv = ./evil',
    '[filter "x"]\n\tclean = ./evil',
    '[include]\n\tpath = evil',
    '[includeIf "gitdir:/"]\n\tpath = evil',
    '[gpg]\n\tprogram = ./evil',
    '[log]\n\tshowSignature = true',
    '[alias]\n\tx = !./evil',
    '[remote "o"]\n\tpromisor = true',
    '[extensions]\n\tpartialClone = o',
    '[core] fsmonitor = ./evil',
    '[user]\n\tname = a \\\n',
    '[CORE]\n\tFSMonitor = ./evil',
  ])('asks in a repository with %j', async (text) => {
    expect(await git(config(text))).toBe(false)
  })

  it.each([
    '[remote "origin"]\n\turl = https://example.com/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*',
    '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main',
    '[user]\n\tname = A\n# comment',
  ])('reads in a repository with %j', async (text) => {
    expect(await git(config(text))).toBe(true)
  })

  it('asks if a hook would run, there is a submodule, or the repository root is elsewhere', async () => {
    expect(await git(({ cwd }) => writeFile(join(cwd, '.git/hooks/post-index-change'), ''))).toBe(false)
    expect(await git(({ cwd }) => mkdir(join(cwd, '.git/modules')))).toBe(false)
    const place = await project()
    const inner = {
      ...place,
      cwd: join(place.cwd, 'src'),
      bounds: { folders: [join(place.cwd, 'src')], except: [] },
    }
    expect(isHarmless('git status', inner)).toBe(false)
    expect(isHarmless('git status', { ...inner, trusted: true })).toBe(true)
  })

  it('asks inside a folder that is a bare repository itself', async () => {
    const place = await project()
    for (const name of ['objects', 'refs']) await mkdir(join(place.cwd, 'src', name))
    await writeFile(join(place.cwd, 'src/HEAD'), 'ref: refs/heads/main')
    expect(isHarmless('cd src && git status', place)).toBe(false)
  })

  it('reads in a worktree of the folder', async () => {
    const place = await project()
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: place.root,
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a',
    }
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'x'], { cwd: place.cwd, env })
    execFileSync('git', ['worktree', 'add', '-q', 'tree'], { cwd: place.cwd, env, stdio: 'ignore' })
    expect(isHarmless('git status', { ...place, cwd: join(place.cwd, 'tree') })).toBe(true)
  })
})
