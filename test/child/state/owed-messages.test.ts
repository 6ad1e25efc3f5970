import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChildMessage } from '../../../src/child/lines/message-line.ts'
import { Deliveries, owedTo } from '../../../src/child/state/owed-messages.ts'
import { evolve, initialRunState, type RunState } from '../../../src/child/state/run-state.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import {
  accepted,
  allow,
  cuts,
  finished,
  histories,
  inBatches,
  opened,
  seen,
  settled,
  turnEnded,
} from '../../rig/cli/event-stories.ts'
import { resolvable } from '../../rig/clients/people.ts'

const fold = (...events: SessionEvent[]): RunState => events.reduce(evolve, initialRunState)
const keysOf = (state: RunState): string[] => owedTo(state).map(({ key }) => key)
const unread: SessionEvent = { type: 'line.unparsed', text: '', bytes: 0 }

/** Puts and remembers; holds back where it is told to. */
class Pipe {
  readonly got: ChildMessage[] = []
  fails = false
  readonly put = async (message: ChildMessage): Promise<void> => {
    if (this.fails) throw new Error('full')
    this.got.push(message)
    await Promise.resolve()
  }

  get prompts(): unknown[] {
    return this.got.map(({ uuid }) => uuid)
  }
}

function newHub(): { pipe: Pipe; deliveries: Deliveries } {
  const pipe = new Pipe()
  return { pipe, deliveries: new Deliveries(pipe.put) }
}

test('who asked by a call is owed nothing here: the answer is the result of the call', () => {
  const byCall: SessionEvent = { ...opened('1', 'tool-1'), carrier: 'mcp' }
  expect(keysOf(fold(byCall, settled('1', allow)))).toEqual([])
  expect(fold(byCall, settled('1', allow), finished('1')).approvals.size).toBe(0)
})

test('each kind of debt has its message', () => {
  const odd: SessionEvent = { type: 'request.unknown', requestId: 'odd', subtype: 'new' }
  const state = fold(
    accepted('p', 'hello'),
    seen('1'),
    seen('2', 'ask'),
    opened('3', 'tool-3'),
    settled('3', allow),
    opened('4', 'tool-4'),
    odd,
    unread,
  )
  expect(owedTo(state)).toMatchObject([
    { message: { type: 'user', uuid: 'p', message: { role: 'user', content: [{ text: 'hello' }, {}] } } },
    { message: { response: { subtype: 'success', request_id: 'hook-1', response: {} } } },
    {
      message: {
        response: { request_id: 'hook-2', response: { hookSpecificOutput: { permissionDecision: 'ask' } } },
      },
    },
    { message: { response: { subtype: 'success', request_id: 'ask-3', response: allow } } },
    { message: { response: { subtype: 'error', request_id: 'odd' } } },
    { message: { type: 'control_request', request: { subtype: 'interrupt' } } },
  ])
})

test('a question that nobody has decided is owed nothing', () => {
  expect(owedTo(fold(opened('1', 'tool-1')))).toEqual([])
})

/** What damage calls for is numbered anew in each run, and these hubs outlive a run. */
const readable = histories.map((events) => events.filter(({ type }) => type !== 'line.unparsed'))

test('owed is all that is decided, unanswered or unechoed, and nothing that is over', () => {
  fc.assert(
    fc.property(readable, (events) => {
      expect(keysOf(fold(...events)).toSorted()).toEqual(debtIn(events).toSorted())
    }),
    { numRuns: 300 },
  )
})

test('each debt is put once by each hub, and all that is open again by the next', async () => {
  await fc.assert(
    fc.asyncProperty(readable, cuts, fc.array(fc.boolean()), async (events, where, crashes) => {
      let state = initialRunState
      let hub = newHub()
      for (const [index, batch] of inBatches(events, where).entries()) {
        if (crashes[index]) hub = newHub()
        state = batch.reduce(evolve, state)
        await hub.deliveries.deliver(state)
        const put = hub.pipe.got.map((message) => JSON.stringify(message))
        expect(new Set(put).size).toBe(put.length)
        for (const { message } of owedTo(state)) expect(put).toContain(JSON.stringify(message))
      }
    }),
  )
})

test('what could not be put is put by the next call', async () => {
  const { pipe, deliveries } = newHub()
  const state = fold(accepted('a'), accepted('b'))
  pipe.fails = true
  await expect(deliveries.deliver(state)).rejects.toThrow('full')
  expect(deliveries.hasUndelivered(state)).toBe(true)
  pipe.fails = false
  const delivered = deliveries.deliver(state)
  expect(deliveries.hasUndelivered(state)).toBe(true)
  await delivered
  expect(deliveries.hasUndelivered(state)).toBe(false)
  await deliveries.deliver(state)
  expect(pipe.prompts).toEqual(['a', 'b'])
})

test('calls that overlap put each prompt once and in order', async () => {
  const { pipe, deliveries } = newHub()
  const before = fold(accepted('a'), accepted('b'))
  await Promise.all([deliveries.deliver(before), deliveries.deliver(evolve(before, accepted('c')))])
  expect(pipe.prompts).toEqual(['a', 'b', 'c'])
})

test('a damaged turn right after another is interrupted too', async () => {
  const { pipe, deliveries } = newHub()
  const damaged = fold(unread)
  await deliveries.deliver(damaged)
  const next: SessionEvent[] = [turnEnded(), { type: 'turn.started', cliSessionId: 's' }, unread]
  await deliveries.deliver(next.reduce(evolve, damaged))
  expect(pipe.got).toMatchObject([
    { request: { subtype: 'interrupt' } },
    { request: { subtype: 'interrupt' } },
  ])
})

/** By its words, and not as the fold does it: looks at all that happened to each thing. */
function debtIn(events: readonly SessionEvent[]): string[] {
  const run = events.slice(events.findLastIndex(({ type }) => type === 'run.ended') + 1)
  const some = (matches: (event: SessionEvent) => boolean): boolean => run.some(matches)
  const isCancelled = (requestId: string): boolean =>
    some((event) => event.type === 'request.cancelled' && event.requestId === requestId)
  const prompts = events.flatMap((event) => {
    if (event.type !== 'prompt.accepted') return []
    const { promptId } = event
    const over = events.some(
      (later) =>
        (later.type === 'prompt.echoed' || later.type === 'prompt.withdrawn') && later.promptId === promptId,
    )
    return over ? [] : [`prompt ${promptId}`]
  })
  const rest = run.flatMap((event) => {
    if (event.type === 'request.unknown')
      return isCancelled(event.requestId) ? [] : [`error ${event.requestId}`]
    if (event.type === 'tool.seen') {
      const answered = some(
        (later) =>
          (later.type === 'approval.opened' ||
            later.type === 'tool.refused' ||
            later.type === 'tool.finished') &&
          later.toolUseId === event.toolUseId,
      )
      return answered || isCancelled(event.requestId) ? [] : [`hook ${event.requestId}`]
    }
    if (event.type !== 'approval.opened' || isCancelled(event.requestId)) return []
    const { approvalId, toolUseId, requestId } = event
    const last = run.findLast((later) => later.type === 'approval.settled' && later.approvalId === approvalId)
    const isFinished = some((later) => later.type === 'tool.finished' && later.toolUseId === toolUseId)
    return last?.type === 'approval.settled' && last.decision && !isFinished ? [`answer ${requestId}`] : []
  })
  return [...prompts, ...rest]
}

test('a hub has something undelivered while it sends a message, or has not sent all', async () => {
  const state = fold(accepted('p'), accepted('q'))
  const held = resolvable<void>()
  const deliveries = new Deliveries(() => held.promise)
  expect(deliveries.hasUndelivered(fold())).toBe(false)
  expect(deliveries.hasUndelivered(state)).toBe(true)
  const done = deliveries.deliver(fold(accepted('p')))
  // The prompt is on its way: it counts as put, but the child does not have it yet.
  expect(deliveries.hasUndelivered(fold(accepted('p')))).toBe(true)
  held.resolve()
  await done
  expect(deliveries.hasUndelivered(fold(accepted('p')))).toBe(false)
  expect(deliveries.hasUndelivered(state)).toBe(true)
})

test('what is owed again after it was owed no more is put again', async () => {
  const { pipe, deliveries } = newHub()
  for (const state of [fold(accepted('p')), fold(), fold(accepted('p'))]) await deliveries.deliver(state)
  expect(pipe.prompts).toEqual(['p', 'p'])
})

test('a call that has run is owed an answer with the note of its yes', () => {
  const returned: SessionEvent = { type: 'tool.returned', requestId: 'after-1', toolUseId: 'tool-1' }
  const asked = [
    opened('1', 'tool-1'),
    settled('1', { behavior: 'allow', updatedInput: {}, message: 'mind the gap' }),
  ]
  const owed = owedTo(fold(...asked, returned)).find(({ key }) => key === 'after after-1')
  expect(JSON.stringify(owed?.message)).toContain('mind the gap')
})
