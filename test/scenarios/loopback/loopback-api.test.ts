import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import { countTo, type Polled, pollToRest, seqsOf, typesOf } from '../../rig/clients/loopback.ts'
import { loopbackHub } from '../../rig/hubs/loopback-hub.ts'

const touch = (name: string): Reply => tools(use('Bash', { command: `touch ${name}` }))
const text = expect.any(String) as string
const position = { tree_id: text, node_id: text }

describe('the flow', () => {
  test('a session is created, begun, polled, answered and polled to its end', async () => {
    const { place, call } = await loopbackHub([
      { blocks: [{ type: 'text', text: "I'll run it." }, use('Bash', { command: 'touch made' })] },
      say('It is made.'),
    ])
    const made = await call('claudecode.create', {
      name: 'my-agent',
      working_dir: place.project,
      model: 'haiku',
      loopback_enabled: true,
    })
    expect(made).toEqual({ type: 'created', id: text, head: position })
    const session_id = String(made['id'])
    place.sessions.add(session_id)
    expect(await call('claudecode.chat_async', { name: 'my-agent', prompt: 'Make it' })).toEqual({
      type: 'started',
      session_id,
    })

    const asked = await pollToRest(call, { session_id, from_seq: null, limit: null })
    expect(asked).toMatchObject({ type: 'ok', status: 'awaiting_permission', turn: 1, has_more: false })
    expect(seqsOf(asked)).toEqual(countTo(asked.total_events))
    expect(asked.read_position).toBe(asked.total_events)
    expect(asked.events[0]).toMatchObject({
      seq: 0,
      event: { type: 'start', id: session_id, user_position: position, prompt: 'Make it' },
    })
    const { event: used } = asked.events.find(({ event }) => event.type === 'tool_use') ?? {}
    expect(used).toMatchObject({ tool_name: 'Bash', tool_use_id: text, input: { command: 'touch made' } })
    expect(asked.events.map(({ event }) => event)).toContainEqual(content("I'll run it."))
    const [approval] = asked.pending_approvals
    expect(asked.pending_approvals).toMatchObject([
      {
        id: text,
        session_id,
        session_name: 'my-agent',
        tool_name: 'Bash',
        tool_use_id: used?.['tool_use_id'],
        input: { command: 'touch made' },
        kind: 'tool',
        questions: [{ options: ['allow', 'deny'] }],
      },
    ])
    const { created_at = 0, expires_at = 0 } = approval ?? {}
    expect(Number.isInteger(created_at)).toBe(true)
    expect([300, 301]).toContain(expires_at - created_at) // the limit begins when the question is stored
    expect(Math.abs(created_at - Date.now() / 1_000)).toBeLessThan(60)
    expect(await call('loopback.pending', { session_id })).toEqual({
      type: 'ok',
      approvals: asked.pending_approvals,
    })
    expect(existsSync(join(place.project, 'made'))).toBe(false)

    const respond = { approval_id: approval?.id, approve: true, message: null }
    expect(await call('loopback.respond', respond)).toEqual({
      type: 'ok',
      approval_id: approval?.id,
      decision: 'allowed',
      by: 'operator',
      via: 'rpc',
    })
    const done = await pollToRest(call, { session_id })
    expect(done).toMatchObject({ status: 'complete', pending_approvals: [], turn: 1 })
    expect(seqsOf(done)[0]).toBe(asked.read_position)
    expect(done.events.at(-1)?.event).toMatchObject({
      type: 'complete',
      result: 'It is made.',
      head: position,
    })
    expect(existsSync(join(place.project, 'made'))).toBe(true)
    expect(await call('loopback.pending')).toEqual({ type: 'ok', approvals: [] })
  })

  test('a denial is read by the session, with its message', async () => {
    const { place, call, create, chat } = await loopbackHub([touch('never'), say('Then not.')])
    const session_id = await create()
    const {
      pending_approvals: [asked],
    } = await chat(session_id)
    const no = { approval_id: asked?.id, allow: false, message: 'not here' }
    expect(await call('loopback.respond', no)).toMatchObject({ type: 'ok', decision: 'denied' })
    const done = await pollToRest(call, { session_id })
    const result = done.events.find(({ event }) => event.type === 'tool_result')
    expect(result?.event).toMatchObject({
      is_error: true,
      content: expect.stringContaining('not here') as string,
    })
    expect(existsSync(join(place.project, 'never'))).toBe(false)
  })

  test('each chat counts from 0 again, and an earlier one can be read again', async () => {
    const { call, create } = await loopbackHub([say('one'), say('two')])
    const session_id = await create({ name: 'my-agent' })
    await call('claudecode.chat_async', { name: 'my-agent', prompt: 'first task' })
    const first = await pollToRest(call, { session_id })
    await call('claudecode.chat_async', { name: 'my-agent', prompt: 'second task' })
    const second = await pollToRest(call, { session_id })
    expect([first.turn, second.turn]).toEqual([1, 2])
    for (const page of [first, second]) expect(seqsOf(page)).toEqual(countTo(page.total_events))
    expect(second.events[0]?.event).toMatchObject({ type: 'start', prompt: 'second task' })
    const again = await call<Polled>('claudecode.poll', { session_id, turn: 1, from_seq: 0 })
    expect(again.events.slice(0, first.events.length - 1)).toEqual(first.events.slice(0, -1))
    expect(typesOf(again)).toContain('complete')
    expect(await call('claudecode.streams', { session_id })).toMatchObject({
      streams: [
        { turn: 1, status: 'complete' },
        { turn: 2, status: 'complete', total_events: second.total_events },
      ],
    })
  })
})

const content = (said: string) =>
  expect.objectContaining({ type: 'content', text: said }) as unknown as object
