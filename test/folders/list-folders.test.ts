import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listFolders } from '../../src/folders/list-folders.ts'
import { refusalOf } from '../contracts/refusal.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

async function someFolders() {
  const [home, outside] = [await temporaryFolder(), await temporaryFolder()]
  for (const name of ['project', 'Projects', 'private', '.hidden', '.ssh', 'many', 'a b'])
    await mkdir(join(home, name))
  await writeFile(join(home, 'pro-file.txt'), '')
  await writeFile(join(home, 'private', 'secret.txt'), '')
  await symlink(outside, join(home, 'prolink'))
  await symlink(join(home, 'pro-file.txt'), join(home, 'profile-link'))
  await symlink(join(home, 'nowhere'), join(home, 'prodead'))
  for (let number = 0; number < 60; number++)
    await mkdir(join(home, 'many', `n${String(number).padStart(2, '0')}`))
  const listed = (typed: string) => listFolders(`${home}/${typed}`, home)
  const paths = async (typed: string) =>
    (await listed(typed)).folders.map(({ path }) => path.slice(home.length + 1))
  return { home, outside, listed, paths }
}

describe('the folders below a typed path', () => {
  test('are those that begin as typed, exactly so first; files are never named', async () => {
    const { paths } = await someFolders()
    expect(await paths('pro')).toEqual(['project', 'prolink', 'Projects'])
    expect(await paths('PROJ')).toEqual(['project', 'Projects'])
    expect(await paths('private/')).toEqual([])
    expect(await paths('zzz')).toEqual([])
  })

  test('are hidden ones only when the dot is typed', async () => {
    const { paths } = await someFolders()
    expect(await paths('')).not.toContain('.ssh')
    expect(await paths('.')).toEqual(['.hidden', '.ssh'])
    expect(await paths('.s')).toEqual(['.ssh'])
  })

  test('are at most 50, and it is said that there are more', async () => {
    const { listed } = await someFolders()
    const { folders, hasMore } = await listed('many/')
    expect([folders.length, hasMore]).toEqual([50, true])
    expect(await listed('many/n5')).toMatchObject({ hasMore: false })
  })

  test('say where a link leads, whether it is offered or passed through', async () => {
    const { home, outside, listed } = await someFolders()
    const { folders } = await listed('prol')
    expect(folders).toEqual([{ path: join(home, 'prolink'), leadsTo: outside }])
    expect(await listed('prolink/')).toMatchObject({ leadsTo: outside })
    expect(await listed('project/')).not.toHaveProperty('leadsTo')
  })

  test('of the home folder are found by ~', async () => {
    const { home } = await someFolders()
    expect((await listFolders('~/proj', home)).folders.length).toBe(2)
    expect(await listFolders('~', home)).toMatchObject({ folder: home })
  })
})

test.each([
  ['project', 'invalid_input', 'begins with /'],
  ['', 'invalid_input', 'begins with /'],
  ['~root/', 'invalid_input', 'begins with /'],
  ['/no/such/folder/', 'not_found', 'There is no folder /no/such/folder'],
  [`/${'x'.repeat(300)}/`, 'not_found', 'There is no folder'],
])('%j is refused in one sentence', async (typed, code, text) => {
  expect(await refusalOf(listFolders(typed, '/home/me'))).toMatchObject({
    code,
    message: expect.stringContaining(text) as string,
  })
})

test('a file is no folder, and nothing of it is said', async () => {
  const { home, listed } = await someFolders()
  const refused = await refusalOf(listed('pro-file.txt/'))
  expect(refused.message).toBe(`There is no folder ${home}/pro-file.txt; check its spelling.`)
})
