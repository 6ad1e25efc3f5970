import { expect, test } from 'vitest'
import { gitRunsNothing } from '../../src/shell/git-repository.ts'
import { paperDisk, type PaperEntry } from '../rig/tools/paper-disk.ts'

const SAFE = '[core]\nbare = false'
const UNSAFE = '[core]\nfsmonitor = sh'
const plain = { '/code/.git/config': SAFE, '/code/src/a.ts': '' }

interface Case {
  readonly disk: Readonly<Record<string, PaperEntry>>
  readonly cwd?: string
  readonly folder?: string
}

const runsNothing = ({ disk, cwd = '/code', folder = '/code' }: Case) =>
  gitRunsNothing(paperDisk(disk), { folders: [folder], except: [] }, cwd)

const worktree = (gitFile: string, commondir?: string): Case => ({
  disk: {
    ...plain,
    '/code/tree/.git': gitFile,
    '/code/.git/worktrees/t/HEAD': '',
    ...(commondir === undefined ? {} : { '/code/.git/worktrees/t/commondir': commondir }),
  },
  cwd: '/code/tree',
})
const GIT_FILE = 'gitdir: /code/.git/worktrees/t'

test.each<[string, Case]>([
  ['a plain repository', { disk: plain }],
  ['a folder of it', { disk: plain, cwd: '/code/src' }],
  ['a folder of it with a file called HEAD', { disk: { ...plain, '/code/src/HEAD': '' }, cwd: '/code/src' }],
  ['a repository with hooks for commits', { disk: { ...plain, '/code/.git/hooks/pre-commit': '' } }],
  ['settings of a worktree', { disk: { ...plain, '/code/.git/config.worktree': SAFE } }],
  ['a worktree', worktree(`${GIT_FILE}\n`, '../..\n')],
  ['a worktree whose file has no newline', worktree(GIT_FILE, '../..')],
])('git runs nothing of its own in %s', (_, where) => {
  expect(runsNothing(where)).toBe(true)
})

test.each<[string, Case]>([
  ['a repository that runs a program', { disk: { '/code/.git/config': UNSAFE } }],
  ['a repository without settings', { disk: { '/code/.git/HEAD': '' } }],
  ['settings of a worktree that run one', { disk: { ...plain, '/code/.git/config.worktree': UNSAFE } }],
  ['a repository with a hook for reading', { disk: { ...plain, '/code/.git/hooks/post-index-change': '' } }],
  ['a repository with submodules', { disk: { ...plain, '/code/.git/modules/': '' } }],
  [
    'a bare repository',
    { disk: { ...plain, '/code/src/HEAD': '', '/code/src/objects/': '' }, cwd: '/code/src' },
  ],
  ['no repository', { disk: { '/code/a': '' } }],
  ['no repository up to the root', { disk: { '/code/a': '' }, folder: '/' }],
  ['a repository above the bounds', { disk: plain, cwd: '/code/src', folder: '/code/src' }],
  ['a repository elsewhere', { disk: { '/code/.git': { link: '/other' }, '/other/config': SAFE } }],
  ['a link that leads nowhere', { disk: { '/code/.git': { link: '/other' } } }],
  ['a worktree that does not say of what', worktree(GIT_FILE)],
  ['a file that says more than that', worktree(`${GIT_FILE}\nmore`, '../..')],
  ['a file that says something before it', worktree(`x ${GIT_FILE}`, '../..')],
])('that is not known of %s', (_, where) => {
  expect(runsNothing(where)).toBe(false)
})
