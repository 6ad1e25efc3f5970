import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Pipelines } from '../../../src/transports/http/pipelined-requests.ts'

/** Sends requests on a connection; `over` ends the oldest request that was started. */
function aConnection(pipelines: Pipelines) {
  const socket = new Socket()
  const started: number[] = []
  const ends: (() => void)[] = []
  let sent = 0
  const send = (count: number) => {
    for (let n = 0; n < count; n++) {
      const number = ++sent
      pipelines.take(socket, (over) => {
        started.push(number)
        ends.push(over)
      })
    }
  }
  return { socket, started, send, over: () => ends.shift()?.() }
}

test('four requests of a connection are started at once, and each response lets the next begin, in order', () => {
  const { started, send, over } = aConnection(new Pipelines())
  send(6)
  expect(started).toEqual([1, 2, 3, 4])
  over()
  expect(started).toEqual([1, 2, 3, 4, 5])
  over()
  over()
  expect(started).toEqual([1, 2, 3, 4, 5, 6])
  send(2)
  expect(started).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('a connection does not wait for another one', () => {
  const pipelines = new Pipelines()
  const [first, second] = [aConnection(pipelines), aConnection(pipelines)]
  first.send(5)
  second.send(5)
  expect([first.started.length, second.started.length]).toEqual([4, 4])
})

test('a thousand requests may wait; one more, and the connection is closed', () => {
  const { socket, started, send } = aConnection(new Pipelines())
  send(4 + 1_000)
  expect(socket.destroyed).toBe(false)
  send(1)
  expect(socket.destroyed).toBe(true)
  expect(started).toHaveLength(4)
})
