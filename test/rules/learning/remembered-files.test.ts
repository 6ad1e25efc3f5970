import { expect, test } from 'vitest'
import { rememberedFiles } from '../../../src/rules/learning/remembered-files.ts'

/** A disk on which the case of letters does not matter, with one folder; counts how often it is asked for an entry. */
function aDisk(names: readonly string[] | undefined) {
  const asked: string[] = []
  const files = rememberedFiles({
    realPath: (path) => path,
    hasEntry: (path) => {
      asked.push(path)
      return ['/code/readme', '/code/..', '/code/kelvin'].includes(path.toLowerCase())
    },
    names: (folder) => (folder === '/code' ? names : undefined),
    text: () => undefined,
    hasBytes: () => undefined,
  })
  return { files, asked }
}

test.each(['/code/readme', '/code/README', '/code/..', '/code/kelvin'])(
  '%s is there, as the disk says',
  (path) => {
    expect(aDisk(['ReadMe', '\u212Aelvin']).files.hasEntry(path)).toBe(true)
  },
)

test('a name that the folder does not list is not looked for', () => {
  const { files, asked } = aDisk(['ReadMe'])
  expect(files.hasEntry('/code/other')).toBe(false)
  expect(asked).toEqual([])
})

test('where a folder cannot be listed, the disk is asked once for each entry', () => {
  const { files, asked } = aDisk(undefined)
  for (const path of ['/code/other', '/code/README', '/code/other'])
    expect(files.hasEntry(path)).toBe(path !== '/code/other')
  expect(asked).toEqual(['/code/other', '/code/README'])
})
