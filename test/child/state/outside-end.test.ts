import { expect, test } from 'vitest'
import { outsideEnd } from '../../../src/child/state/outside-end.ts'
import type { EventOf } from '../../../src/events/session-event.ts'

const end = (to: 'command' | 'terminal' | undefined, how: Omit<EventOf<'session.returned'>, 'type'> = {}) =>
  outsideEnd(to, { type: 'session.returned', ...how })

test('what happened in a terminal is not known, so the turn is over', () => {
  const done = { outcome: 'done', error: undefined }
  expect(end('terminal', { exitCode: 1, signal: 'SIGINT', gone: true })).toEqual(done)
  expect(end(undefined, { exitCode: 1 })).toEqual(done)
})

test('a command is done, failed or interrupted, as its exit says', () => {
  expect(end('command')).toEqual({ outcome: 'done', error: undefined })
  expect(end('command', { exitCode: 0 })).toEqual({ outcome: 'done', error: undefined })
  for (const exitCode of [1, 128])
    expect(end('command', { exitCode })).toMatchObject({
      outcome: 'failed',
      error: { code: 'cli_failed', message: expect.stringContaining(`exit code ${exitCode};`) as unknown },
    })
  const interrupted = { outcome: 'interrupted', error: undefined }
  expect(end('command', { exitCode: 129 })).toEqual(interrupted)
  expect(end('command', { exitCode: 1, signal: 'SIGINT' })).toEqual(interrupted)
  expect(end('command', { gone: true })).toEqual(interrupted)
})
