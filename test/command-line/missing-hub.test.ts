import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeFacts, missingHubSentence, waitingSentence } from '../../src/command-line/missing-hub.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

test('without a hub the sentence says what is in the home folder: nothing, what was, or what waits', async () => {
  const home = await temporaryFolder()
  expect(missingHubSentence(await homeFacts(join(home, 'none'), {}))).toBe(
    'No hub runs, so no session is at work; plexus start begins one.',
  )
  await writeFile(join(home, 'plexus.db'), '')
  expect(missingHubSentence(await homeFacts(home, {}))).toContain(
    'plexus serve runs one, and then plexus ls --all',
  )
  expect(missingHubSentence({ alive: 10, wasUsed: true, waitingTerminals: 0 })).toBe(
    'No hub runs, but 10 sessions are alive and wait for one: plexus serve brings it back (they end after 30 minutes without one).',
  )
})

test('without a hub the terminals that wait are counted too', async () => {
  const home = await temporaryFolder()
  await mkdir(join(home, 'sessions'))
  const says = (status: string, entrypoint = 'cli') =>
    writeFile(
      join(home, 'sessions', `${process.pid}.json`),
      JSON.stringify({
        pid: process.pid,
        sessionId: 's',
        cwd: '/',
        version: '2.1.197',
        kind: 'interactive',
        entrypoint,
        status,
      }),
    )
  const sentence = async () => missingHubSentence(await homeFacts(home, { CLAUDE_CONFIG_DIR: home }))
  await says('busy')
  expect(await sentence()).not.toContain('terminal')
  // As 2.1.325 says it of a session of ours.
  await says('waiting', 'sdk-cli')
  expect(await sentence()).not.toContain('terminal')
  await says('waiting')
  expect(await sentence()).toBe(
    'No hub runs, so no session is at work; plexus start begins one. 1 terminal waits for an answer in its own dialog; plexus serve lists it here too.',
  )
  expect(waitingSentence({ waitingTerminals: 2 })).toBe(
    '2 terminals wait for an answer in their own dialogs; plexus serve lists them here too.',
  )
})
