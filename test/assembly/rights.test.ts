import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { currentRights } from '../../src/assembly/config-file.ts'
import { createLog } from '../../src/base/log.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

test('rights are those of the file at this moment; a file that cannot be read gives none and is logged once', async () => {
  const home = await temporaryFolder()
  const lines: string[] = []
  const rights = currentRights(
    home,
    createLog('warn', (line) => void lines.push(line)),
  )
  const write = async (text: string) => {
    await writeFile(join(home, 'next'), text)
    await rename(join(home, 'next'), join(home, 'config.json'))
  }
  expect(rights()).toMatchObject({ trusted: [], scopes: {} })
  await write('{"trusted":["/a"],"scopes":{"editor":["bypass"]}}')
  expect(rights()).toMatchObject({ trusted: ['/a'], scopes: { editor: ['bypass'] } })
  await write('{"trusted":["/a","/b"]}')
  expect(rights()).toMatchObject({ trusted: ['/a', '/b'], scopes: {} })
  await write('{"trusted":["/a"],')
  expect([rights(), rights()]).toEqual([
    { trusted: [], scopes: {} },
    { trusted: [], scopes: {} },
  ])
  expect(lines).toHaveLength(1)
  await rm(join(home, 'config.json'))
  expect(rights()).toMatchObject({ trusted: [] })
  expect(lines).toHaveLength(1)
})
