import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { narrowToParent } from '../../../src/engine/access/narrow-options.ts'
import { aSession } from '../../contracts/rows.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

test('a relative folder for a child is resolved against the folder of its parent', async () => {
  const workingDirectory = await temporaryFolder()
  await mkdir(join(workingDirectory, 'part'))
  const parent = aSession({ workingDirectory })
  const folderFor = (folder?: string) =>
    narrowToParent(parent, { options: StartOptions.parse({ workingDirectory: folder }) }).options
      .workingDirectory
  expect(folderFor('part')).toBe(join(workingDirectory, 'part'))
  expect(folderFor()).toBe(workingDirectory)
  expect(() => folderFor('..')).toThrow('would be more')
})
