import { expect, test } from 'vitest'
import { gitRunsNothing } from '../../src/shell/git-repository.ts'
import { paperDisk, type PaperEntry } from '../rig/tools/paper-disk.ts'

const SAFE = '[core]\nbare = false'
const UNSAFE = '[core]\nfsmonitor = sh'
const ON_MAIN = 'ref: refs/heads/main\n'

type Disk = Readonly<Record<string, PaperEntry>>

const repositoryAt = (folder: string, config = SAFE): Disk => ({
  [`${folder}/config`]: config,
  [`${folder}/HEAD`]: ON_MAIN,
  [`${folder}/objects/pack/`]: '',
  [`${folder}/refs/`]: '',
})
const plain: Disk = { ...repositoryAt('/code/.git'), '/code/src/a.ts': '' }

interface Case {
  readonly disk: Disk
  readonly cwd?: string
  readonly folder?: string
}

const runsNothing = ({ disk, cwd = '/code', folder = '/code' }: Case) =>
  gitRunsNothing(paperDisk(disk), { folders: [folder], except: [] }, cwd)

const besides = (more: Disk): Case => ({ disk: { ...plain, ...more } })
const without = (path: string): Case => ({
  disk: Object.fromEntries(Object.entries(plain).filter(([name]) => name !== path)),
})

const GIT_FILE = 'gitdir: /code/.git/worktrees/t'
const worktree = (gitFile: string, commondir?: string, more: Disk = {}): Case => ({
  disk: {
    ...plain,
    '/code/tree/.git': gitFile,
    '/code/.git/worktrees/t/HEAD': ON_MAIN,
    ...(commondir === undefined ? {} : { '/code/.git/worktrees/t/commondir': commondir }),
    ...more,
  },
  cwd: '/code/tree',
})

/** An index with one entry of this mode. */
const indexOf = (mode: string) => `DIRC\0\0\0\x02\0\0\0\x01times${mode}sizes`
const SUBMODULE = indexOf('\0\0\xe0\0')

test.each<[string, Case]>([
  ['a plain repository', { disk: plain }],
  ['a repository on no branch', besides({ '/code/.git/HEAD': `${'ab'.repeat(20)}\n` })],
  ['a folder of it', { disk: plain, cwd: '/code/src' }],
  ['a folder of it with a file called HEAD', { disk: { ...plain, '/code/src/HEAD': '' }, cwd: '/code/src' }],
  ['a repository with hooks for commits', besides({ '/code/.git/hooks/pre-commit': '' })],
  ['a repository with files', besides({ '/code/.git/index': indexOf('\0\0\x81\xa4') })],
  ['settings of a worktree', besides({ '/code/.git/config.worktree': SAFE })],
  ['a worktree', worktree(`${GIT_FILE}\n`, '../..\n')],
  ['a worktree whose file has no newline', worktree(GIT_FILE, '../..')],
])('git runs nothing of its own in %s', (_, where) => {
  expect(runsNothing(where)).toBe(true)
})

test.each<[string, Case]>([
  ['a repository that runs a program', { disk: repositoryAt('/code/.git', UNSAFE) }],
  ['a repository without settings', without('/code/.git/config')],
  ['settings of a worktree that run one', besides({ '/code/.git/config.worktree': UNSAFE })],
  ['a repository with a hook for reading', besides({ '/code/.git/hooks/post-index-change': '' })],
  ['a repository with submodules', besides({ '/code/.git/modules/': '' })],
  ['an index with a submodule', besides({ '/code/.git/index': SUBMODULE })],
  ['an index that cannot be read', besides({ '/code/.git/index/': '' })],
  ['a split index', besides({ '/code/.git/sharedindex.0': '' })],
  ['a bare repository', { ...besides({ '/code/src/HEAD': '', '/code/src/objects/': '' }), cwd: '/code/src' }],
  ['no repository', { disk: { '/code/a': '' } }],
  ['no repository up to the root', { disk: { '/code/a': '' }, folder: '/' }],
  ['a repository above the bounds', { disk: plain, cwd: '/code/src', folder: '/code/src' }],
  ['a repository elsewhere', { disk: { '/code/.git': { link: '/other' }, ...repositoryAt('/other') } }],
  ['a link that leads nowhere', { disk: { '/code/.git': { link: '/other' } } }],
  ['a worktree that does not say of what', worktree(GIT_FILE)],
  ['a file that says more than that', worktree(`${GIT_FILE}\nmore`, '../..')],
  ['a file that says something before it', worktree(`x ${GIT_FILE}`, '../..')],
])('that is not known of %s', (_, where) => {
  expect(runsNothing(where)).toBe(false)
})

test.each<[string, Case]>([
  [
    'a folder that names another with the settings',
    besides({ '/code/.git/commondir': '../common', ...repositoryAt('/code/common', UNSAFE) }),
  ],
  [
    'the own settings of a worktree',
    worktree(GIT_FILE, '../..', { '/code/.git/worktrees/t/config.worktree': UNSAFE }),
  ],
  [
    'a worktree whose index has a submodule',
    worktree(GIT_FILE, '../..', { '/code/.git/worktrees/t/index': SUBMODULE }),
  ],
  [
    'a way through a link and back, which is another way for git',
    {
      ...worktree('gitdir: ../link/../.git/worktrees/t', '../..', {
        '/code/link': { link: '/code/deep/down' },
        '/code/deep/down/x': '',
        ...repositoryAt('/code/deep/.git', UNSAFE),
        '/code/deep/.git/worktrees/t/HEAD': ON_MAIN,
        '/code/deep/.git/worktrees/t/commondir': '../..',
      }),
    },
  ],
])('what git reads is read, not what a name says: %s', (_, where) => {
  expect(runsNothing(where)).toBe(false)
})

test.each<[string, Case]>([
  ['without HEAD', without('/code/.git/HEAD')],
  ['with another HEAD', besides({ '/code/.git/HEAD': 'ref: main' })],
  ['without objects', without('/code/.git/objects/pack/')],
  ['without refs', without('/code/.git/refs/')],
])('git passes over a folder %s, and takes a repository above it', (_, where) => {
  expect(runsNothing(where)).toBe(false)
})

test.each<[string, Case]>([
  ['objects', besides({ '/code/.git/objects/info/alternates': '/other/objects' })],
  ['a link to objects', besides({ '/code/.git/objects/ab': { link: '/other/ab' }, '/other/ab/x': '' })],
  ['a link to a pack', besides({ '/code/.git/objects/pack/a.pack': { link: '/other/a' }, '/other/a': '' })],
  ['a link to refs', besides({ '/code/.git/packed-refs': { link: '/other/refs' }, '/other/refs': '' })],
  ['a link to nothing yet', besides({ '/code/.git/logs': { link: '/other/logs' } })],
])('a repository may not show %s of another', (_, where) => {
  expect(runsNothing(where)).toBe(false)
})
