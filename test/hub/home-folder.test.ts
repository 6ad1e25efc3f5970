import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareHome } from '../../src/hub/home-folder.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

const INSIDE = { code: 'forbidden', message: expect.stringMatching(/lies inside the project/) as string }

/** The folder of a user, with a project in it. */
async function userFolder() {
  const user = join(await temporaryFolder(), 'user')
  const project = join(user, 'project')
  await mkdir(join(project, '.git'), { recursive: true })
  return { user, project }
}

test.each(['', 'home', 'deep/below/home'])(
  'S15: a home folder that is or lies in a project (%j) is refused, and nothing is made there',
  async (below) => {
    const { user, project } = await userFolder()
    await expect(prepareHome(join(project, below), user)).rejects.toMatchObject(INSIDE)
    expect(await readdir(project)).toEqual(['.git'])
  },
)

test('S15: a worktree, whose .git is a file, is a project too, and a link into one does not hide it', async () => {
  const { user, project } = await userFolder()
  const worktree = join(user, 'worktree')
  await mkdir(worktree)
  await writeFile(join(worktree, '.git'), `gitdir: ${project}/.git/worktrees/one\n`)
  await expect(prepareHome(join(worktree, 'home'), user)).rejects.toMatchObject(INSIDE)
  await symlink(project, join(user, 'link'))
  await expect(prepareHome(join(user, 'link/home'), user)).rejects.toMatchObject(INSIDE)
})

test('dotfiles under git in the home of the user, or above it, are not a project', async () => {
  const { user } = await userFolder()
  await mkdir(join(user, '.git'))
  await mkdir(join(user, '../.git'))
  const home = join(user, '.local/state/plexus')
  expect(await prepareHome(home, user)).toBe(home)
  expect(await prepareHome(join(user, 'project-like'), `${user}/.`)).toBe(join(user, 'project-like'))
  const link = join(user, '../also-user')
  await symlink(user, link)
  expect(await prepareHome(join(link, 'second'), link)).toBe(join(user, 'second'))
})

test('without a home of the user every folder with .git is a project', async () => {
  const { user } = await userFolder()
  await mkdir(join(user, '.git'))
  await expect(prepareHome(join(user, 'home'), undefined)).rejects.toMatchObject(INSIDE)
})
