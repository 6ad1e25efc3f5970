import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { type Polled, pollToRest } from '../../rig/clients/loopback.ts'
import { loopbackHub } from '../../rig/hubs/loopback-hub.ts'

const message = (part: string) => expect.stringContaining(part) as string

describe('what is wrong is reported as a result', () => {
  test('wrong types and unknown fields name the field', async () => {
    const { call, create, place } = await loopbackHub([])
    const session_id = await create()
    const wrong: [method: string, params: object, field: string][] = [
      ['claudecode.create', { working_dir: 7 }, 'working_dir'],
      ['claudecode.create', { allowed_tools: 'Bash' }, 'allowed_tools'],
      ['claudecode.create', { loopback_enabled: 'yes' }, 'loopback_enabled'],
      ['claudecode.create', { loopback_timeout_secs: -1 }, 'loopback_timeout_secs'],
      ['claudecode.create', { permission_mode: 'default' }, 'loopback_enabled'],
      ['claudecode.create', { workingDirectory: place.project }, 'workingDirectory'],
      ['claudecode.create', { dangerously_skip_permissions: 'x' }, 'dangerously_skip_permissions'],
      ['claudecode.chat_async', { session_id }, 'prompt'],
      ['claudecode.chat_async', { prompt: 'x' }, 'session_id'],
      ['claudecode.chat_async', { session_id: 7, prompt: 'x' }, 'session_id'],
      ['claudecode.poll', { session_id, from_seq: -1 }, 'from_seq'],
      ['claudecode.poll', { session_id, from_seq: '0' }, 'from_seq'],
      ['claudecode.poll', { session_id, limit: 1.5 }, 'limit'],
      ['claudecode.poll', { session_id, reader: '' }, 'reader'],
      ['claudecode.poll', { session_id, wait_seconds: 51 }, 'wait_seconds'],
      ['claudecode.fork', { session_id, node_id: 'x' }, 'node_id'],
      ['claudecode.tree', { session_id, depth: -1 }, 'depth'],
      ['loopback.respond', { approval_id: 7 }, 'approval_id'],
      ['loopback.respond', { approval_id: 'x', approve: 'yes' }, 'approve'],
      ['loopback.respond', { approval_id: 'x', updated_input: 'ls' }, 'updated_input'],
      ['loopback.respond', { approval_id: 'x', approve: true, allow: false }, 'approve'],
      ['loopback.wait', { session_ids: [] }, 'session_ids'],
      ['loopback.configure', { model: 7 }, 'model'],
    ]
    for (const [method, params, field] of wrong)
      expect([method, await call(method, params)]).toEqual([
        method,
        expect.objectContaining({ type: 'error', code: 'invalid_input', message: message(field) }),
      ])
  })

  test('what is not there is not found', async () => {
    const { call, create } = await loopbackHub([])
    const session_id = await create({ name: 'there' })
    const missing: [method: string, params: object][] = [
      ['claudecode.poll', { session_id: randomUUID() }],
      ['claudecode.poll', { session_id, turn: 7 }],
      ['claudecode.chat', { name: 'nobody', prompt: 'x' }],
      ['claudecode.chat_async', { name: 'nobody', prompt: 'x' }],
      ['claudecode.interrupt', { name: 'nobody' }],
      ['claudecode.fork', { session_id }],
      ['claudecode.tree', { session_id, node_id: randomUUID() }],
      ['loopback.respond', { approval_id: randomUUID(), approve: true }],
      ['loopback.pending', { session_id: randomUUID() }],
    ]
    for (const [method, params] of missing)
      expect([method, await call(method, params)]).toMatchObject([
        method,
        { type: 'error', code: 'not_found' },
      ])
    expect(await call('claudecode.create', { name: 'there' })).toMatchObject({
      type: 'error',
      code: 'in_use',
    })
    // A reader that nobody heard of yet is one that has read nothing.
    expect(await call('claudecode.poll', { session_id, reader: 'new' })).toMatchObject({
      type: 'ok',
      read_position: 0,
    })
  })

  test('the error of the second of two answers names who was first, and how', async () => {
    const { call, create, chat } = await loopbackHub([
      tools(use('Bash', { command: 'touch made' })),
      say('ok'),
    ])
    const session_id = await create()
    const { pending_approvals } = await chat(session_id)
    const approval_id = pending_approvals[0]?.id
    for (const none of [{}, { allow: false, answers: ['allow'] }, { allow: true, content: {} }])
      expect(await call('loopback.respond', { approval_id, ...none })).toMatchObject({
        code: 'invalid_input',
      })
    await call('loopback.respond', { approval_id, approve: false })
    expect(await call('loopback.respond', { approval_id, approve: true })).toEqual({
      type: 'error',
      code: 'already_settled',
      message: message('denied by operator'),
      approval_id,
      decision: 'denied',
      by: 'operator',
      via: 'rpc',
    })
    expect(await pollToRest(call, { session_id })).toMatchObject({ status: 'complete' })
  })

  test('a question is not answered by a yes, but by its options or by a no', async () => {
    const question = {
      question: 'Which?',
      header: 'Which',
      multiSelect: false,
      options: [
        { label: 'red', description: '' },
        { label: 'blue', description: '' },
      ],
    }
    const ask = tools(use('AskUserQuestion', { questions: [question] }))
    const { call, create, chat } = await loopbackHub([ask, ask, say('ok')])
    const session_id = await create()
    const { pending_approvals } = await chat(session_id)
    expect(pending_approvals).toMatchObject([{ kind: 'question', questions: [{ options: ['red', 'blue'] }] }])
    const [asked] = pending_approvals
    const yes = await call('loopback.respond', { approval_id: asked?.id, approve: true })
    expect(yes).toMatchObject({ type: 'error', code: 'invalid_input', message: message('red, blue') })
    await call('loopback.respond', { approval_id: asked?.id, answers: ['blue'] })
    const again: Polled = await pollToRest(call, { session_id })
    const no = { approval_id: again.pending_approvals[0]?.id, approve: false, message: 'no colours' }
    expect(await call('loopback.respond', no)).toMatchObject({ type: 'ok', decision: 'denied' })
    expect(await pollToRest(call, { session_id })).toMatchObject({ status: 'complete' })
  })
})

test('faults in the use of the protocol are errors of the protocol', async () => {
  const { hub } = await loopbackHub([])
  const post = async (body: unknown) => {
    const headers = { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${hub.url}/rpc`, init)).json()
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'claudecode.poll' }
  expect(await post({ ...call, method: 'claudecode.pole' })).toMatchObject({ error: { code: -32601 } })
  expect(await post({ ...call, params: 'x' })).toMatchObject({ error: { code: -32602 } })
  expect(await post({ ...call, params: [1] })).toMatchObject({ error: { code: -32602 } })
  expect(await post('x')).toMatchObject({ error: { code: -32600 } })
  expect(await post(call)).toMatchObject({ result: { type: 'error', code: 'invalid_input' } })
})
