import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { initialSessionState } from '../../../src/sessions/record/session-state.ts'
import { notLoadedIn, trustsFoldersOf } from '../../../src/sessions/launch/session-folders.ts'
import type { HubEnvironment } from '../../../src/sessions/launch/hub-environment.ts'
import { aSession } from '../../contracts/rows.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

const environment = (trusted: readonly string[]): HubEnvironment => ({
  home: '/home',
  env: {},
  leaseSeconds: 1,
  trusted: () => trusted,
  findCli: () => Promise.reject(new Error('not needed')),
  transcriptOf: async () => undefined,
  openElsewhere: async () => undefined,
  onError: () => {},
})

const trusts = (workingDirectory: string, addDirs?: string[], now?: string) =>
  trustsFoldersOf(
    aSession({ workingDirectory, config: StartOptions.parse(addDirs ? { addDirs } : {}) }),
    { ...initialSessionState, workingDirectory: now },
    environment(['/trusted', '/also']),
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
  expect(notLoadedIn([project], environment([]))).toEqual(['CLAUDE.md'])
  expect(notLoadedIn([project], environment([project]))).toBeUndefined()
  expect(notLoadedIn([project, added], environment([project]))).toEqual(['CLAUDE.md'])
  expect(notLoadedIn([added], environment([]))).toBeUndefined()
})
