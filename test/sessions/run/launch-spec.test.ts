import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { initialSessionState } from '../../../src/sessions/record/session-state.ts'
import { leftOut, type Surroundings, trustsFoldersOf } from '../../../src/sessions/run/launch-spec.ts'
import { aSession } from '../../contracts/rows.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

const around = (trusted: readonly string[]): Surroundings => ({
  home: '/home',
  env: {},
  leaseSeconds: 1,
  trusted,
  findCli: () => Promise.reject(new Error('not needed')),
  transcriptOf: async () => undefined,
  openElsewhere: async () => undefined,
  onError: () => {},
})

const trusts = (workingDirectory: string, addDirs?: string[], now?: string) =>
  trustsFoldersOf(
    aSession({ workingDirectory, config: StartOptions.parse(addDirs ? { addDirs } : {}) }),
    { ...initialSessionState, workingDirectory: now },
    around(['/trusted', '/also']),
  )

test('settings of a project are loaded only where all folders of the session are trusted', () => {
  expect(trusts('/trusted')).toBe(true)
  expect(trusts('/trusted/sub', ['/also', '/trusted'])).toBe(true)
  expect(trusts('/trusted', ['/other'])).toBe(false)
  expect(trusts('/trusted', ['/also', '/other'])).toBe(false)
  expect(trusts('/other', ['/trusted'])).toBe(false)
  expect(trusts('/other')).toBe(false)
})

test('what counts is the folder that the child works in now', () => {
  expect(trusts('/trusted', [], '/other')).toBe(false)
  expect(trusts('/other', [], '/trusted')).toBe(true)
})

test('what is not loaded is named, unless all folders are trusted', async () => {
  const root = await temporaryFolder()
  const [project, added] = [join(root, 'project'), join(root, 'added')]
  for (const folder of [project, added]) await mkdir(folder)
  await writeFile(join(project, 'CLAUDE.md'), '')
  expect(leftOut([project], around([]))).toEqual(['CLAUDE.md'])
  expect(leftOut([project], around([project]))).toBeUndefined()
  expect(leftOut([project, added], around([project]))).toEqual(['CLAUDE.md'])
  expect(leftOut([added], around([]))).toBeUndefined()
})
