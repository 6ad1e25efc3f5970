import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineOf } from '../../../src/child/lines/message-line.ts'
import { writeMessageFile } from '../../../src/child/process/message-files.ts'
import { createRunFolder, type RunFolder } from '../../../src/child/process/run-folder.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { codePoint } from '../../rig/tools/code-point.ts'

async function emptyRun(): Promise<RunFolder> {
  return createRunFolder(join(await temporaryFolder(), 'run'))
}

async function laid(run: RunFolder): Promise<unknown[]> {
  const names = (await readdir(run.todo)).toSorted()
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(run.todo, name), 'utf8'))))
}

const drafts = async (run: RunFolder): Promise<string[]> =>
  (await readdir(run.path)).filter((name) => name.startsWith('draft'))

test('messages lie in the folder in the order in which they were laid, each whole and private', async () => {
  const run = await emptyRun()
  const count = Array.from({ length: 120 }, (_, n) => n)
  for (const n of count) {
    const path = await writeMessageFile(run, lineOf({ n }))
    expect(await readFile(path ?? '', 'utf8')).toBe(lineOf({ n }))
  }
  expect(await laid(run)).toEqual(count.map((n) => ({ n })))
  expect(await drafts(run)).toEqual([])
  for (const name of await readdir(run.todo))
    expect((await stat(join(run.todo, name))).mode & 0o777).toBe(0o600)
})

test('messages laid at once do not get in each other’s way', async () => {
  const run = await emptyRun()
  await Promise.all(Array.from({ length: 50 }, (_, n) => writeMessageFile(run, lineOf({ n }))))
  expect(await laid(run)).toEqual(Array.from({ length: 50 }, (_, n) => ({ n })))
})

test('a line is one line for every reader and says what was meant', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      const line = lineOf({ text: `${text}\n\r\u2028\u2029` })
      expect(line.slice(0, -1)).not.toMatch(/[\n\r\u2028\u2029]/)
      expect(line.at(-1)).toBe('\n')
      expect(JSON.parse(line)).toEqual({ text: `${text}\n\r\u2028\u2029` })
    }),
  )
})

test('a message for a run whose folder is gone is not laid', async () => {
  const run = await emptyRun()
  await rm(run.path, { recursive: true })
  expect(await writeMessageFile(run, lineOf({ n: 1 }))).toBeUndefined()
  await mkdir(run.path)
  expect(await writeMessageFile(run, lineOf({ n: 1 }))).toBeUndefined() // a folder of that name, but not the run's
  expect(await drafts(run)).toEqual([])
})

test('a message that cannot be written leaves no draft and reports the first failure', async () => {
  const run = await emptyRun()
  await rm(run.todo, { recursive: true })
  await writeFile(run.todo, 'in the way')
  await expect(writeMessageFile(run, lineOf({ n: 1 }))).rejects.toThrow('ENOTDIR')
  expect(await drafts(run)).toEqual([])
  await rm(run.path, { recursive: true })
  await writeFile(run.path, 'in the way')
  await expect(writeMessageFile(run, lineOf({ n: 1 }))).rejects.toThrow(/ENOTDIR.*open/)
})
