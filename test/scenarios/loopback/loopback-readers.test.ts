import { expect, test } from 'vitest'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import { countTo, type Polled, pollToRest, seqsOf, typesOf } from '../../rig/clients/loopback.ts'
import { loopbackHub } from '../../rig/hubs/loopback-hub.ts'

const touch: Reply = tools(use('Bash', { command: 'touch made' }))

test('two readers each read everything once, and the slower one finishes its turn first', async () => {
  const { call, create, chat } = await loopbackHub([say('one'), say('two')])
  const session_id = await create()
  const first = await chat(session_id, 'first', { reader: 'quick' })
  const slow = (more = {}) => call<Polled>('claudecode.poll', { session_id, reader: 'slow', ...more })
  const begun = await slow({ limit: 2 })
  expect([seqsOf(begun), begun.has_more, begun.read_position]).toEqual([[0, 1], true, 2])
  const second = await chat(session_id, 'second', { reader: 'quick' })
  expect([first.turn, second.turn]).toEqual([1, 2])

  const rest = await slow({ limit: 1e9 })
  expect(rest).toMatchObject({ turn: 1, has_more: true, status: 'complete' })
  expect(seqsOf(rest)).toEqual(countTo(rest.total_events).slice(2))
  expect(typesOf(rest)).toContain('complete')
  const next = await slow()
  expect([next.turn, next.has_more, seqsOf(next)]).toEqual([2, false, countTo(next.total_events)])
  expect(next.events.slice(0, second.events.length)).toEqual(second.events)
  expect(await slow()).toMatchObject({ turn: 2, events: [], has_more: false })
})

test('limit 0 looks and moves nothing; a place past the end is the end; what was read can be read again', async () => {
  const { call, create, chat } = await loopbackHub([say('one')])
  const session_id = await create()
  const { total_events } = await chat(session_id, 'first', { reader: 'other' })
  const poll = (more = {}) => call<Polled>('claudecode.poll', { session_id, ...more })
  const at = { events: [], total_events, turn: 1 }
  expect(await poll({ limit: 0 })).toMatchObject({ ...at, read_position: 0, has_more: true })
  const past = await poll({ from_seq: total_events + 1_000, wait_seconds: 1 })
  expect(past).toMatchObject({ ...at, read_position: total_events, has_more: false })
  expect(seqsOf(await poll())).toEqual(countTo(total_events))
  expect(seqsOf(await poll())).toEqual([])
  expect(seqsOf(await poll({ from_seq: 2, limit: 2 }))).toEqual([2, 3])
  expect(seqsOf(await poll())).toEqual([])
})

test('a poll that waits returns with what happens, and at once where something is asked or nothing will happen', async () => {
  const { call, create, chat } = await loopbackHub([touch, say('made')])
  const session_id = await create()
  const wait = (more = {}) => call<Polled>('claudecode.poll', { session_id, wait_seconds: 50, ...more })
  expect(await wait()).toMatchObject({ status: 'complete', turn: 0, total_events: 0, events: [] })
  const { pending_approvals } = await chat(session_id)
  expect(await wait()).toMatchObject({ status: 'awaiting_permission', events: [], pending_approvals })
  const waiting = call<{ sessions: object[] }>('loopback.wait', { session_ids: [session_id] })
  expect(await waiting).toMatchObject({ approvals: pending_approvals, sessions: [{ session_id }] })
  await call('loopback.respond', { approval_id: pending_approvals[0]?.id, approve: true })
  expect(typesOf(await wait())).toContain('approval_settled')
  expect(await pollToRest(call, { session_id })).toMatchObject({ status: 'complete' })
  expect(await call('loopback.wait', { session_ids: [session_id] })).toMatchObject({
    approvals: [],
    sessions: [{ session_id, status: 'complete' }],
  })
})

test('a prompt in the middle of a turn waits for it, and says so; an interrupted turn is a failed one', async () => {
  const { call, create, chat } = await loopbackHub([touch, say('made'), { hang: true }])
  const session_id = await create({ name: 'busy' })
  const { pending_approvals } = await chat(session_id)
  const queued = await call('claudecode.chat_async', { name: 'busy', prompt: 'and then' })
  expect(queued).toEqual({ type: 'started', session_id, queued: true })
  expect(await call('claudecode.streams')).toMatchObject({
    streams: [{ session_id, name: 'busy', status: 'awaiting_permission', turn: 1 }],
  })
  expect(await call('claudecode.interrupt', { name: 'busy' })).toMatchObject({ type: 'ok', session_id })
  const ended = await pollToRest(call, { session_id })
  expect(ended).toMatchObject({ status: 'failed', interrupted: true, pending_approvals: [] })
  expect(typesOf(ended)).toContain('interrupted')
  const late = await call('loopback.respond', { approval_id: pending_approvals[0]?.id, approve: true })
  expect(late).toMatchObject({ type: 'error', code: 'already_settled', decision: 'withdrawn' })
  expect(await call('claudecode.stop', { session_id })).toMatchObject({ type: 'ok', status: 'failed' })
})
