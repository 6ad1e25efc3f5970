/** Repositories whose own settings are harmless, and that lead git to others. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { supervise } from '../rig/hubs/supervised.ts'

const bash = (command: string) => tools(use('Bash', { command }))

const BEGIN = `
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a HOME=$PWD/..
begin() { git init -q -b main $1 && echo $2 > $1/file && git -C $1 add file && git -C $1 commit -qm first; }
begin . one
echo two > file
external="[diff]
  external = touch $PWD/../ran;"
`

test.each<[string, string, string, string?]>([
  [
    'a folder that names another with the settings',
    'mkdir common; cp -r .git/objects .git/refs common; echo "$external" > common/config; echo ../common > .git/commondir',
    'git diff',
  ],
  [
    'the own settings of a worktree',
    'git worktree add -q tree; git config extensions.worktreeConfig true; echo "$external" > .git/worktrees/tree/config.worktree; echo two > tree/file',
    'git diff',
    'tree',
  ],
  [
    'a submodule among its files',
    'begin sub one; git add sub; git commit -qm second; git -C sub config filter.x.clean "touch $PWD/../ran; cat"; echo "* filter=x" > sub/.gitattributes; echo two > sub/file',
    'git status',
  ],
  [
    'a folder that git passes over',
    'echo "$external" >> .git/config; mkdir -p sub/.git; echo "[core]" > sub/.git/config; echo two > sub/file; git add -N sub/file 2> /dev/null; true',
    'git diff',
    'sub',
  ],
  [
    'the objects of another',
    'begin ../other secret-text; rm -rf .git/objects .git/refs; ln -s $PWD/../other/.git/objects $PWD/../other/.git/refs .git',
    'git show HEAD:file',
  ],
  [
    'alternates',
    'begin ../other secret-text; echo $PWD/../other/.git/objects > .git/objects/info/alternates; cp ../other/.git/refs/heads/main .git/refs/heads/main',
    'git show HEAD:file',
  ],
])(
  'S23: a reading git command is asked about in a repository with %s',
  async (_, script, command, folder = '.') => {
    const session = await supervise({
      scenario: { main: [bash(`cd ${folder}`), bash(command), say('done')] },
      prepare: async (project) =>
        void execFileSync('bash', ['-ec', BEGIN + script], {
          cwd: project,
          env: { PATH: process.env['PATH'] },
        }),
      answer: 'deny',
    })
    await session.event('turn.ended')
    expect(session.all('approval.opened')).toMatchObject([{ toolName: 'Bash', input: { command } }])
    expect(existsSync(join(session.project, '../ran'))).toBe(false)
    expect(JSON.stringify(session.model.requests)).not.toContain('secret-text')
  },
)
