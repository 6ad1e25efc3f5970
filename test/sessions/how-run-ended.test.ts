import { expect, test } from 'vitest'
import { eventsOfEnd, type RunEnding } from '../../src/sessions/how-run-ended.ts'
import { evolve, initialSessionState } from '../../src/sessions/session-state.ts'

const begun = [
  { type: 'run.started', runId: 'run' } as const,
  { type: 'prompt.accepted', promptId: 'prompt', content: 'go' } as const,
].reduce(evolve, initialSessionState)
const well: RunEnding = { end: { kind: 'exited', code: 0 }, stderr: '', stopped: false, lived: false }

test('a process that ended well leaves its prompt to the next one', () => {
  expect(eventsOfEnd(begun, well)).toEqual([{ type: 'run.ended', runId: 'run' }])
})

test('one that we had to end says why, and its prompt is taken back', () => {
  expect(eventsOfEnd(begun, { ...well, failure: 'It could not ask.' })).toEqual([
    { type: 'run.ended', runId: 'run', error: { code: 'cli_failed', message: 'It could not ask.' } },
    { type: 'prompt.withdrawn', promptId: 'prompt' },
  ])
})
