import { expect, onTestFinished, test } from 'vitest'
import { runFolderAt } from '../../../src/child/process/run-folder.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { LostOutputWatch } from '../../../src/sessions/run/full-disk-watch.ts'
import { accepted, turnEnded } from '../../rig/cli/event-stories.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { memoryWriter } from '../../rig/hubs/memory-writer.ts'
import { heldTimers } from '../../rig/tools/held-timers.ts'

const LOST: SessionEvent = { type: 'line.unparsed', text: '', bytes: 0 }

/** A hub that takes over a child in a turn, and what its watch has done so far. */
async function takenOver(...before: readonly SessionEvent[]) {
  const pass = heldTimers()
  const { writer } = await memoryWriter(
    accepted('p'),
    { type: 'turn.started', cliSessionId: 's' },
    { type: 'prompt.echoed', promptId: 'p' },
    ...before,
  )
  const done: string[] = []
  const run = {
    child: { run: runFolderAt(await temporaryFolder()) },
    isUpToDate: true,
    bytesRead: 0,
    deliver: async () => void done.push('delivered'),
    giveUp: async (reason: string) => void done.push(reason),
  }
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const watch = new LostOutputWatch(run, writer, {
    over: over.signal,
    onError: (error) => done.push(String(error)),
  })
  return { pass, writer, done, over, watch }
}

test('a child that lost output while an earlier hub ran is interrupted again, and ended when it is busy five seconds after that', async () => {
  const { pass, done } = await takenOver(LOST)
  await pass(5_999)
  expect(done).toEqual(['delivered'])
  await pass(1)
  expect(done).toEqual(['delivered', expect.stringContaining('an interrupt did not end its turn')])
  await pass(60_000)
  expect(done).toHaveLength(2)
})

test('a child whose turn the interrupt ended is left alone', async () => {
  const { pass, done, writer, watch } = await takenOver(LOST)
  await pass(5_000)
  await writer.append([turnEnded()])
  watch.stored([turnEnded()])
  await writer.append([accepted('next')])
  await pass(60_000)
  expect(done).toEqual(['delivered'])
})

test('a child that lost nothing is neither interrupted nor ended, and nothing is checked once its output has ended', async () => {
  const { pass, done, over, watch } = await takenOver()
  await pass(60_000)
  watch.stored([LOST])
  over.abort()
  await pass(60_000)
  expect(done).toEqual([])
})
