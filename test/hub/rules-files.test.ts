import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeRules, repositoryRules } from '../../src/hub/rules-files.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

const RULES = JSON.stringify({
  v: 1,
  forbid: [{ id: 'f', command: 'rm *', because: 'No.' }],
  rules: [{ id: 'a', effect: 'allow', command: 'make' }],
})

async function aHome() {
  const home = await temporaryFolder()
  const warnings: string[] = []
  const open = () => homeRules(home, { warn: (text) => void warnings.push(text) })
  return { home, path: join(home, 'rules.json'), warnings, open }
}

test('a home without the file has no rules, and a changed file counts at the next use', async () => {
  const { path, open, warnings } = await aHome()
  const now = open()
  expect(now().rules.rules.rules).toEqual([])
  await writeFile(path, RULES)
  expect(now().rules.rules.rules).toHaveLength(1)
  await writeFile(path, '{"v":1}')
  expect(now()).toMatchObject({ rules: { rules: { rules: [] }, forbid: { rules: [] } } })
  expect(warnings).toEqual([])
})

test('a call that is judged in one piece is judged by one state of the file', async () => {
  const { path, open } = await aHome()
  const now = open()
  writeFileSync(path, RULES)
  const first = now()
  writeFileSync(path, '{"v":1}')
  expect(now()).toBe(first)
  await Promise.resolve()
  expect(now().rules.rules.rules).toEqual([])
})

test.each([
  ['broken', (path: string) => writeFile(path, '{"v":1,'), 'it is not JSON from line 1'],
  ['gone', (path: string) => rm(path), 'it is gone; write {"v":1}'],
  ['10 MB', (path: string) => writeFile(path, ' '.repeat(10 << 20)), 'it is larger than 1 MiB'],
  ['a folder', (path: string) => rm(path).then(() => mkdir(path)), 'it is no plain file.'],
  [
    'a pipe',
    (path: string) => rm(path).then(() => void execFileSync('mkfifo', [path])),
    'it is no plain file.',
  ],
  ['endless', (path: string) => rm(path).then(() => symlink('/dev/zero', path)), 'it is no plain file.'],
  ['a link to nothing', (path: string) => rm(path).then(() => symlink('/nowhere/x', path)), 'it is gone'],
])(
  '[6] a file that is %s: the last good rules are kept with the fault, by the next hub too',
  async (_, damage, sentence) => {
    const { path, open, warnings } = await aHome()
    await writeFile(path, RULES)
    const now = open()
    now()
    await damage(path)
    for (const state of [now(), now(), open()()]) {
      expect(state.fault).toContain(sentence)
      expect(state.rules.forbid.rules.map(({ rule }) => rule.id)).toEqual(['f'])
      expect(state.rules.rules.rules).toHaveLength(1)
    }
    expect(warnings).toHaveLength(2)
    await rm(path, { recursive: true, force: true })
    await writeFile(path, RULES)
    expect(now().fault).toBeUndefined()
  },
)

test('what is kept is for the user alone', async () => {
  const { home, path, open } = await aHome()
  await writeFile(path, RULES)
  await chmod(path, 0o644)
  open()()
  expect(await readFile(join(home, 'rules.last-good.json'), 'utf8')).toBe(RULES)
})

test('[8] a repository without the file has no rules, and one with a broken file asks', async () => {
  const folder = await temporaryFolder()
  const of = repositoryRules({ warn: () => {} })
  expect(of(folder)).toBeUndefined()
  await mkdir(join(folder, '.claude'))
  await writeFile(join(folder, '.claude/plexus-rules.json'), RULES)
  expect(of(folder)?.fault).toContain('effect must be deny or ask here')
  await writeFile(join(folder, '.claude/plexus-rules.json'), '{"v":1}')
  expect(of(folder)?.fault).toBeUndefined()
})
