import { expect, test } from 'vitest'
import { type RunEnd, runEndOf, sentenceOf } from '../../../src/child/process/run-end.ts'

test.each<[number, RunEnd]>([
  [0, { kind: 'exited', code: 0 }],
  [1, { kind: 'exited', code: 1 }],
  [127, { kind: 'exited', code: 127 }],
  [128, { kind: 'exited', code: 128 }],
  [129, { kind: 'killed', signal: 'SIGHUP' }],
  [130, { kind: 'killed', signal: 'SIGINT' }],
  [134, { kind: 'killed', signal: 'SIGABRT' }],
  [137, { kind: 'killed', signal: 'SIGKILL' }],
  [143, { kind: 'killed', signal: 'SIGTERM' }],
  [255, { kind: 'exited', code: 255 }],
])('a shell reports the end as %i', (code, end) => {
  expect(runEndOf(code)).toEqual(end)
})

test.each<[RunEnd, string, string]>([
  [{ kind: 'exited', code: 1 }, '', 'Claude Code ended with exit code 1.'],
  [{ kind: 'exited', code: 1 }, 'bad flag', 'Claude Code ended with exit code 1. It said: bad flag'],
  [{ kind: 'killed', signal: 'SIGKILL' }, '', 'Claude Code was ended by SIGKILL.'],
])('an end is described in one sentence, with what the CLI said last', (end, stderr, sentence) => {
  expect(sentenceOf(end, stderr)).toBe(sentence)
})

test('a lost run says what is gone', () => {
  expect(sentenceOf({ kind: 'lost', reason: 'keeper_gone' })).toMatch(/^The keeper .* is gone/)
  expect(sentenceOf({ kind: 'lost', reason: 'run_folder_gone' }, 'oops')).toMatch(
    /^The run folder .* was removed.* It said: oops$/,
  )
})
