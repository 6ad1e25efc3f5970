import { describe, expect, test } from 'vitest'
import {
  commandStart,
  readsScripts,
  runsItsArguments,
  runsPrograms,
} from '../../src/shell/programs-that-run-programs.ts'

describe('a rule may be open after the start of', () => {
  test.each([
    [['touch', 'a'], 'touch'],
    [['touch'], 'touch'],
    [['clang++-17', 'a.c'], 'clang++-17'],
    [['s1h', 'a'], 's1h'],
    [['/usr/bin/touch', 'a'], '/usr/bin/touch'],
    [['git', 'push'], 'git push'],
    [['npm', 'run'], 'npm run'],
    [['pnpm', 'test'], 'pnpm test'],
    [['yarn', 'test'], 'yarn test'],
    [['cargo', 'build'], 'cargo build'],
    [['go', 'build'], 'go build'],
    [['docker', 'ps'], 'docker ps'],
    [['podman', 'ps'], 'podman ps'],
    [['kubectl', 'get'], 'kubectl get'],
    [['helm', 'list'], 'helm list'],
    [['gh', 'pr'], 'gh pr'],
    [['pip', 'list'], 'pip list'],
    [['pip3', 'list'], 'pip3 list'],
    [['uv', 'sync'], 'uv sync'],
    [['poetry', 'lock'], 'poetry lock'],
    [['bundle', 'list'], 'bundle list'],
    [['make', 'check'], 'make check'],
    [['just', 'build:all'], 'just build:all'],
  ])('%j: %s', (words, start) => {
    expect(commandStart(words)).toBe(start)
  })
})

describe('no rule may be open after', () => {
  test.each([
    'sh',
    'SH',
    '/bin/bash',
    './bash',
    'python3.12',
    'python3',
    'perl5.36',
    'env',
    'xargs',
    'awk',
    'find',
    'npx',
    'time',
    '.',
    'ssh',
    'sqlite3',
    'a=b',
    '$x',
    '"touch"',
    'to*',
    '',
    'bin/',
  ])('%j', (program) => {
    expect(commandStart([program, 'a'])).toBeUndefined()
  })

  test.each([
    ['git', 'bisect submodule rebase filter-branch config difftool mergetool hook'],
    ['npm', 'exec x init create explore config set'],
    ['pnpm', 'exec dlx create config'],
    ['yarn', 'exec dlx create node config'],
    ['cargo', 'run install'],
    ['go', 'run generate tool vet'],
    ['docker', 'run exec compose build buildx create cp'],
    ['podman', 'run exec compose build create cp unshare'],
    ['kubectl', 'run exec debug plugin config edit'],
    ['helm', 'plugin install upgrade'],
    ['gh', 'alias extension api codespace config'],
    ['pip', 'config'],
    ['pip3', 'config'],
    ['uv', 'run tool x'],
    ['poetry', 'run config'],
    ['bundle', 'exec config'],
    ['make', ''],
    ['just', ''],
  ])('%s with one of %j, with an option, or with nothing', (program, subcommands) => {
    for (const second of [...subcommands.split(' '), '-C', '--config=x', '', 'a b', '$x', '*'])
      expect(commandStart([program, second])).toBeUndefined()
    expect(commandStart([`/usr/bin/${program}`, '-x'])).toBeUndefined()
  })
})

describe('what a program does with its arguments and its input', () => {
  const SHELLS = ['sh', '/bin/bash', 'ZSH', 'zsh-5.9', 'ksh93', 'eval', '.']

  test('a shell runs both, with or without a version in its name', () => {
    expect(SHELLS.filter((name) => !runsItsArguments(name) || !readsScripts(name))).toEqual([])
  })

  test('a wrapper runs its arguments; of these only xargs and parallel make commands of their input', () => {
    const wrappers = ['sudo', 'env', '/usr/bin/nice', 'xargs', 'parallel']
    expect(wrappers.map(runsItsArguments)).toEqual([true, true, true, true, true])
    expect(wrappers.map(readsScripts)).toEqual([false, false, false, true, true])
  })

  test('any other program does neither, also one of no plain name', () => {
    const others = ['git', 'find', 'python3', 's1h', '$x', '', 'a=b']
    expect(others.filter((name) => runsItsArguments(name) || readsScripts(name))).toEqual([])
  })

  test('a program that runs others is known with any version at the end of its name', () => {
    expect(['python', 'python3.12', 'node-20', 'lua5.9', 'find'].map(runsPrograms)).toEqual(
      Array(5).fill(true),
    )
    expect(['py3thon', '3python', 'git', 'pythonx', '', '9'].map(runsPrograms)).toEqual(Array(6).fill(false))
  })
})
