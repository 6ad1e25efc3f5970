import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { transcriptPathOf } from '../../src/transcripts/transcript-path.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { prompt, write } from './recorded.ts'

test('the transcript of a session is found in any project folder, the newest of two', async () => {
  const config = await temporaryFolder()
  const sessionId = randomUUID()
  expect(await transcriptPathOf(config, sessionId)).toBeUndefined()
  const old = await write(config, [prompt('old')], { sessionId, folder: '-a', minute: 1 })
  expect(await transcriptPathOf(config, sessionId)).toBe(old)
  const copy = await write(config, [prompt('copy')], { sessionId, folder: '-b', minute: 2 })
  expect(await transcriptPathOf(config, sessionId)).toBe(copy)
  expect(await transcriptPathOf(config, randomUUID())).toBeUndefined()
})

test('an id that is not a UUID is rejected before the disk is read', async () => {
  await expect(transcriptPathOf('/nowhere', '../../secret')).rejects.toMatchObject({ code: 'invalid_input' })
})
