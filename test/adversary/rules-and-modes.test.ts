import { execFileSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { supervise } from '../rig/hubs/supervised.ts'

const bash = (command: string) => tools(use('Bash', { command }))
const userSettings = (permissions: object) => async (_: string, config: string) => {
  await mkdir(config, { recursive: true })
  await writeFile(join(config, 'settings.json'), JSON.stringify({ permissions }))
}

test('S23: a rule of the user answers by itself, one that asks does not, and none answers for the home folder', async () => {
  const allow = ['Bash(touch *)', 'Bash(cp *)', 'Bash(awk *)']
  const session = await supervise({
    scenario: (project) => ({
      main: [
        bash('touch a && ls'),
        bash('cp a b'),
        bash('touch c; awk 1 a | sh'),
        bash(`awk 1 ${join(project, '../plexus-home/operator.token')}`),
        say('done'),
      ],
    }),
    prepare: userSettings({ allow, ask: ['Bash(cp *)'] }),
    answer: 'deny',
  })
  await session.event('turn.ended')
  expect(session.all('approval.settled').map(({ status, rule }) => rule ?? status)).toEqual([
    'Bash(touch *) of user settings',
    'denied',
    'denied',
  ])
  expect(session.all('tool.refused')).toHaveLength(1) // by the deny rule for the home folder, which comes first
  expect(await readdir(session.project)).toEqual(['a'])
})

test('S23: in dontAsk what no rule allows is refused and put to nobody, though the CLI takes it for harmless', async () => {
  const session = await supervise({
    scenario: (project) => ({
      main: [
        bash(`fold ${join(project, '../outside')}`),
        bash('awk 1 x'),
        bash('ls'),
        bash('touch a'),
        say('done'),
      ],
    }),
    options: { permissionMode: 'dontAsk', allowedTools: ['Bash(touch *)'] },
    prepare: (project) => writeFile(join(project, '../outside'), 'secret'),
  })
  await session.event('turn.ended')
  expect(session.all('tool.refused')).toHaveLength(2)
  expect(session.all('approval.opened')).toEqual([])
  expect(session.all('tool.unasked').at(-1)).toMatchObject({ rule: 'Bash(touch *) of allowedTools' })
  expect(JSON.stringify(session.model.requests)).not.toContain('secret')
  expect(await readdir(session.project)).toEqual(['a'])
})

test('S30: a child that wants a worktree is asked about it', async () => {
  const env = {
    PATH: '/usr/bin:/bin',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a',
  }
  const git = (project: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], { cwd: project, env })
  const session = await supervise({
    scenario: { main: [tools(use('EnterWorktree', { name: 'tree' })), say('done')] },
    prepare: async (project) => {
      git(project, 'init', '-q')
      git(project, 'commit', '-q', '--allow-empty', '-m', 'x')
    },
    answer: 'deny',
  })
  await session.event('turn.ended')
  expect(session.all('approval.opened')).toMatchObject([{ toolName: 'EnterWorktree' }])
  expect(await readdir(session.project)).toEqual(['.git'])
})
