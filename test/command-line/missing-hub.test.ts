import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeFacts, missingHubSentence } from '../../src/command-line/missing-hub.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

test('without a hub the sentence says what is in the home folder: nothing, what was, or what waits', async () => {
  const home = await temporaryFolder()
  expect(missingHubSentence(await homeFacts(join(home, 'none')))).toBe(
    'No hub runs, so no session is at work; plexus start begins one.',
  )
  await writeFile(join(home, 'plexus.db'), '')
  expect(missingHubSentence(await homeFacts(home))).toContain(
    'plexus serve runs one, and then plexus ls --all',
  )
  expect(missingHubSentence({ alive: 10, wasUsed: true })).toBe(
    'No hub runs, but 10 sessions are alive and wait for one: plexus serve brings it back (they end after 30 minutes without one).',
  )
})
