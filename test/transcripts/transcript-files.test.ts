import { appendFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { TranscriptFiles } from '../../src/transcripts/transcript-files.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { prompt, write } from './recorded.ts'

test.runIf(process.platform === 'linux')(
  'a file that was written just before the call is listed',
  async () => {
    const config = await temporaryFolder()
    const path = await write(config, [prompt('p')])
    const files = new TranscriptFiles(config, { fullScanMs: Number.POSITIVE_INFINITY })
    onTestFinished(() => files.close())
    await files.newestFirst()
    for (let round = 0; round < 20; round++) {
      const { size } = await stat(path) // from here on we are in the middle of a turn of the event loop
      appendFileSync(path, 'x')
      expect((await files.newestFirst())[0]?.size).toBe(size + 1)
    }
  },
)
