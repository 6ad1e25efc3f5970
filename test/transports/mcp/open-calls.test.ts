import { expect, test } from 'vitest'
import { clientOf, OpenCalls } from '../../../src/transports/mcp/open-calls.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

const CHILD = { id: asCallerId('session a'), kind: 'session' } as const

/** What became of a call that one client has opened after another has cancelled one with its id. */
function cancelledBy(canceller: string, opener: string, id: string | number = 1): boolean {
  const calls = new OpenCalls()
  const { signal } = calls.of(opener).open(1)
  calls.of(canceller).cancel(id)
  return signal.aborted
}

test.each([
  ['a child', clientOf(CHILD, null), clientOf(CHILD, null)],
  ['a connection that is not known any more', clientOf(MODEL, 'a'), clientOf(MODEL, 'a')],
])('%s cancels its own call', (_, canceller, opener) => {
  expect(cancelledBy(canceller, opener)).toBe(true)
  expect(cancelledBy(canceller, opener, '1')).toBe(false)
})

test.each([
  ['another connection', clientOf(MODEL, 'a'), clientOf(MODEL, 'b')],
  ['a client that has no connection', clientOf(MODEL, null), clientOf(MODEL, null)],
  ['another child', clientOf(CHILD, null), clientOf({ ...CHILD, id: asCallerId('session b') }, null)],
])('%s with the same token and the same id of a call cancels nothing', (_, canceller, opener) => {
  expect(cancelledBy(canceller, opener)).toBe(false)
})

test('a call that is over cannot be cancelled', () => {
  const calls = new OpenCalls().of('a')
  const { signal, close } = calls.open(1)
  close()
  calls.cancel(1)
  expect(signal.aborted).toBe(false)
})

test('a call that is over is not cancelled, and a later one with its id is', () => {
  const calls = new OpenCalls().of('a')
  const first = calls.open(1)
  const second = calls.open(1)
  first.close()
  calls.cancel(1)
  expect([first.signal.aborted, second.signal.aborted]).toEqual([false, true])
})
