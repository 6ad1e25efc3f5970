import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPERATIONS, operationsFor } from '../../../src/api/operations.ts'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { type AskingChild, askingChild } from '../../rig/cli/asking-child.ts'
import { OPERATOR } from '../../rig/hubs/engines.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Approved, type Call, callerOf, pollToRest, typesOf } from '../../rig/clients/loopback.ts'
import { loopbackHub } from '../../rig/hubs/loopback-hub.ts'
import { httpClient } from '../../rig/clients/mcp-clients.ts'

const touch: Reply = tools(use('Bash', { command: 'touch made' }))
const ASKED = { tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'toolu_1' }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Pending {
  readonly type: string
  readonly approvals: readonly (Approved & { session_id: string })[]
}

const pendingOf = (call: Call, params = {}) => call<Pending>('loopback.pending', params)

/** The first question that is pending. */
async function asked(call: Call, { sessionId }: AskingChild): Promise<Approved> {
  await call('loopback.wait', { session_ids: [sessionId], wait_seconds: 50 })
  return eventually(async () => {
    const [approval] = (await pendingOf(call, { session_id: sessionId })).approvals
    if (!approval) throw new Error('Nothing is asked.')
    return approval
  })
}

describe('types and events', () => {
  test('LOOPBACK-2: types compile and derive necessary traits: every result is of the shape that is declared', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call, { name: 'child' })
    const open = child.permit(ASKED)
    const approval = await asked(call, child)
    const session_id = child.sessionId
    const calls: [name: string, params: object][] = [
      ['claudecode.create', { loopback_enabled: true }],
      ['claudecode.poll', { session_id }],
      ['claudecode.streams', { session_id }],
      ['claudecode.tree', { session_id }],
      ['loopback.pending', {}],
      ['loopback.wait', { session_ids: [session_id] }],
      ['loopback.respond', { approval_id: approval.id, approve: true }],
    ]
    for (const [name, params] of calls) {
      const { output } = OPERATIONS.find((one) => one.name === name) ?? {}
      expect([name, output?.safeParse(await call(name, params))]).toMatchObject([name, { success: true }])
    }
    await open
  })

  test('LOOPBACK-2: PermitResponse serializes to the format that Claude Code expects', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    const open = child.permit(ASKED)
    const { id } = await asked(call, child)
    await call('loopback.respond', { approval_id: id, allow: true, updated_input: { command: 'ls -l' } })
    const { text, isError } = await open
    expect(isError).toBe(false)
    expect(JSON.parse(text)).toEqual({ behavior: 'allow', updatedInput: { command: 'ls -l' } })
  })

  test('LOOPBACK-2: the event can be emitted through the existing event system', async () => {
    const { call, hub } = await loopbackHub([])
    const child = await askingChild(call, { name: 'child' })
    const open = child.permit(ASKED)
    const { id } = await asked(call, child)
    const { events } = await pollToRest(call, { session_id: child.sessionId })
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({
        type: 'tool_request',
        approval_id: id,
        session_name: 'child',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_use_id: 'toolu_1',
      }),
    )
    const headers = { authorization: `Bearer ${hub.token}` }
    const stream = await fetch(`${hub.url}/events?session=child`, { headers })
    let told = ''
    for await (const chunk of stream.body ?? []) {
      told += new TextDecoder().decode(chunk)
      if (told.includes(id)) break
    }
    expect(told).toContain('approval.opened')
    await call('loopback.respond', { approval_id: id, allow: false })
    await open
  })
})

describe('the queue', () => {
  test('LOOPBACK-3: table created on plugin init', async () => {
    const { call, place } = await loopbackHub([])
    expect(await pendingOf(call)).toEqual({ type: 'ok', approvals: [] })
    expect(existsSync(join(place.home, 'plexus.db'))).toBe(true)
  })

  test('LOOPBACK-3: create_approval returns UUID immediately, while who asks still waits', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    let answered = false
    const open = child.permit(ASKED).finally(() => (answered = true))
    const { id } = await asked(call, child)
    expect(id).toMatch(UUID)
    expect(answered).toBe(false)
    await call('loopback.respond', { approval_id: id, allow: false })
    await open
  })

  test('LOOPBACK-3: get_approval returns current status (for polling)', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    const open = child.permit(ASKED)
    const { id } = await asked(call, child)
    const poll = { session_id: child.sessionId }
    expect(await call('claudecode.poll', poll)).toMatchObject({
      status: 'awaiting_permission',
      pending_approvals: [{ id }],
    })
    await call('loopback.respond', { approval_id: id, allow: false })
    const { events } = await pollToRest(call, poll)
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({
        type: 'approval_settled',
        approval_id: id,
        status: 'denied',
        by: 'operator',
      }),
    )
    expect(await call('claudecode.poll', poll)).toMatchObject({ pending_approvals: [] })
    await open
  })

  test('LOOPBACK-3: resolve_approval updates status atomically: of many answers at once one counts', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    const open = child.permit(ASKED)
    const { id } = await asked(call, child)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        call('loopback.respond', {
          approval_id: id,
          ...(at % 2 ? { allow: false, message: `${at}` } : { allow: true }),
        }),
      ),
    )
    const [winner, ...others] = answers.filter(({ type }) => type === 'ok')
    expect(others).toEqual([])
    expect(answers.filter(({ code }) => code === 'already_settled')).toHaveLength(19)
    const { behavior } = JSON.parse((await open).text) as { behavior: string }
    expect(behavior).toBe(winner?.['decision'] === 'allowed' ? 'allow' : 'deny')
  })

  test('LOOPBACK-3: list_pending filters by session', async () => {
    const { call } = await loopbackHub([])
    const children = [await askingChild(call), await askingChild(call)]
    const open = children.map((child) => child.permit(ASKED))
    for (const child of children) {
      const { id } = await asked(call, child)
      const { approvals } = await pendingOf(call, { session_id: child.sessionId })
      expect(approvals).toMatchObject([{ id, session_id: child.sessionId }])
    }
    for (const { id } of (await pendingOf(call)).approvals)
      await call('loopback.respond', { approval_id: id, allow: true })
    await Promise.all(open)
  })
})

describe('permit', () => {
  test('LOOPBACK-4: handler blocks until approval resolves', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    const order: string[] = []
    const open = child.permit(ASKED).then(() => order.push('permit returned'))
    const { id } = await asked(call, child)
    await call('claudecode.poll', { session_id: child.sessionId }) // a round trip: an answer would have come by now
    order.push('answered')
    await call('loopback.respond', { approval_id: id, allow: true })
    await open
    expect(order).toEqual(['answered', 'permit returned'])
  })

  test('LOOPBACK-4: emits event on creation', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    const open = child.permit(ASKED)
    const { id } = await asked(call, child)
    expect(typesOf(await pollToRest(call, { session_id: child.sessionId }))).toContain('tool_request')
    await call('loopback.respond', { approval_id: id, allow: true })
    await open
  })

  test('LOOPBACK-4: returns correct PermitResponse format, for a yes and for a no', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    const ask = async (tool_use_id: string, answer: object) => {
      const open = child.permit({ ...ASKED, tool_use_id })
      const { id } = await asked(call, child)
      await call('loopback.respond', { approval_id: id, ...answer })
      return JSON.parse((await open).text) as unknown
    }
    expect(await ask('toolu_1', { allow: true })).toEqual({ behavior: 'allow', updatedInput: ASKED.input })
    const no = { allow: false, message: 'Tool not allowed in this context' }
    expect(await ask('toolu_2', no)).toEqual({ behavior: 'deny', message: no.message })
  })

  test('LOOPBACK-4: times out after configurable period, for one session or for all', async () => {
    const { call } = await loopbackHub([], { PERMISSION_TIMEOUT_MS: '700' })
    for (const options of [{ loopback_timeout_secs: 0.5 }, {}]) {
      const child = await askingChild(call, options)
      const { text } = await child.permit(ASKED)
      expect(JSON.parse(text)).toMatchObject({
        behavior: 'deny',
        message: expect.stringContaining('Nobody') as string,
      })
      const { events } = await pollToRest(call, { session_id: child.sessionId })
      expect(events.map(({ event }) => event)).toContainEqual(
        expect.objectContaining({ type: 'approval_settled', status: 'expired' }),
      )
    }
  })

  test('LOOPBACK-4: handles queue errors gracefully: the asker gets the error, and the next question is asked', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    const wrong = await child.permit({ ...ASKED, tool_name: '' })
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('tool_name')])
    const open = child.permit(ASKED)
    const { id } = await asked(call, child)
    await call('loopback.respond', { approval_id: id, allow: true })
    expect((await open).isError).toBe(false)
  })
})

describe('respond', () => {
  test('LOOPBACK-5: updates queue status', async () => {
    const { call, place } = await loopbackHub([])
    const child = await askingChild(call)
    const open = child.permit(ASKED)
    const { id } = await asked(call, child)
    await call('loopback.respond', { approval_id: id, allow: false, message: 'why not' })
    await open
    const store = await openSqliteStore(join(place.home, 'plexus.db'))
    expect(await store.approvals.get(id)).toMatchObject({ status: 'denied', by: 'operator' })
    await store.close()
  })

  test('LOOPBACK-5: unblocks waiting permit handler', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    const open = child.permit(ASKED)
    await call('loopback.respond', { approval_id: (await asked(call, child)).id, approve: true })
    expect(JSON.parse((await open).text)).toMatchObject({ behavior: 'allow' })
  })

  test('LOOPBACK-5: handles already-resolved approvals gracefully', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    const open = child.permit(ASKED)
    const { id } = await asked(call, child)
    await call('loopback.respond', { approval_id: id, allow: true })
    const again = await call('loopback.respond', { approval_id: id, allow: false })
    expect(again).toMatchObject({
      type: 'error',
      code: 'already_settled',
      decision: 'allowed',
      by: 'operator',
    })
    expect(JSON.parse((await open).text)).toMatchObject({ behavior: 'allow' })
  })

  test('LOOPBACK-5: returns error for unknown approval_id', async () => {
    const { call } = await loopbackHub([])
    const approval_id = '6f0c927d-256a-4dbf-bfa7-372ecfa72b25'
    expect(await call('loopback.respond', { approval_id, approve: true })).toMatchObject({
      type: 'error',
      code: 'not_found',
    })
  })
})

describe('pending', () => {
  test('LOOPBACK-6: returns pending approvals', async () => {
    const { call } = await loopbackHub([])
    const child = await askingChild(call)
    const open = child.permit(ASKED)
    const { id } = await asked(call, child)
    expect(await pendingOf(call)).toMatchObject({
      approvals: [{ id, tool_name: 'Bash', input: ASKED.input }],
    })
    await call('loopback.respond', { approval_id: id, allow: true })
    await open
  })

  test('LOOPBACK-6: filters by session when provided', async () => {
    const { call, create } = await loopbackHub([])
    const child = await askingChild(call)
    const open = child.permit(ASKED)
    const { id } = await asked(call, child)
    expect((await pendingOf(call, { session_id: await create() })).approvals).toEqual([])
    expect((await pendingOf(call, { session_id: child.sessionId })).approvals).toHaveLength(1)
    await call('loopback.respond', { approval_id: id, allow: true })
    await open
  })

  test('LOOPBACK-6: returns empty vec, not error, when none pending', async () => {
    const { call, create } = await loopbackHub([])
    const none = { type: 'ok', approvals: [] }
    expect(await pendingOf(call)).toEqual(none)
    expect(await pendingOf(call, { session_id: await create() })).toEqual(none)
  })
})

/** A session whose child asks by calls, and has asked. */
const begin = async () => {
  const rig = await loopbackHub([touch, say('made')])
  const session_id = await rig.create({ name: 'child', carrier: 'mcp' })
  const polled = await rig.chat(session_id)
  const [run = ''] = readdirSync(join(rig.place.home, 'runs'))
  return { ...rig, session_id, polled, config: join(rig.place.home, 'runs', run, 'mcp.json') }
}

describe('a session whose child asks by calls', () => {
  test('LOOPBACK-7: LaunchConfig accepts loopback_enabled: with it a tool is asked for, without it refused', async () => {
    const { call, create, chat } = await loopbackHub([touch, say('no')])
    const asks = await chat(await create())
    expect(asks).toMatchObject({ status: 'awaiting_permission' })
    const silent = await create({ loopback_enabled: false })
    const refused = await chat(silent)
    expect(refused).toMatchObject({ status: 'complete', pending_approvals: [] })
    expect(typesOf(refused)).toContain('tool_refused')
    expect(typesOf(refused)).not.toContain('tool_request')
    await call('claudecode.stop', { session_id: silent })
  })

  test('LOOPBACK-7: MCP config file generated correctly, and private', async () => {
    const { config, hub } = await begin()
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
      mcpServers: {
        plexus: {
          type: 'http',
          url: `${hub.url}/mcp/child`,
          headers: { Authorization: expect.stringMatching(/^Bearer \S+$/) as string },
        },
      },
    })
    expect(statSync(config).mode & 0o077).toBe(0)
  })

  test.skipIf(process.platform !== 'linux')(
    'LOOPBACK-7: CLI spawned with permission-prompt-tool flag',
    async () => {
      const { session_id, config } = await begin()
      const lines = (await processesOfSession(session_id)).map(({ pid }) =>
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'),
      )
      expect(lines).toContainEqual(
        expect.arrayContaining([
          '--permission-prompt-tool=mcp__plexus__loopback_permit',
          `--mcp-config=${config}`,
        ]),
      )
    },
  )

  test('LOOPBACK-7: session ID passed correctly to permit calls', async () => {
    const { call, session_id, polled } = await begin()
    const [approval] = polled.pending_approvals
    const { event } = polled.events.find((one) => one.event.type === 'tool_use') ?? {}
    expect(approval).toMatchObject({ session_id, session_name: 'child', tool_use_id: event?.['tool_use_id'] })
    await call('loopback.respond', { approval_id: approval?.id, approve: true })
    expect(await pollToRest(call, { session_id })).toMatchObject({ status: 'complete' })
  })

  test('LOOPBACK-7: config file cleaned up on session end', async () => {
    const { call, session_id, config } = await begin()
    expect(existsSync(config)).toBe(true)
    await call('claudecode.stop', { session_id })
    await eventually(() => expect(existsSync(config)).toBe(false))
  })
})

describe('the hub', () => {
  test('LOOPBACK-8: plugin registered in default builder', async () => {
    const names = operationsFor(OPERATOR, 'all').map(({ name }) => name)
    const { hub } = await loopbackHub([])
    for (const name of names.filter((one) => /^(claudecode|loopback)\./.test(one)))
      expect(await hub.call(name, { no: 'such field' })).toMatchObject({
        type: 'error',
        code: 'invalid_input',
      })
    expect(names).toEqual(
      expect.arrayContaining([
        'claudecode.create',
        'claudecode.poll',
        'loopback.respond',
        'loopback.pending',
      ]),
    )
  })

  test('LOOPBACK-8: queue initialized with shared database: a question outlives the hub', async () => {
    const { hub, place, create, chat } = await loopbackHub([touch, say('made')])
    const session_id = await create()
    const { pending_approvals } = await chat(session_id)
    await hub.kill('SIGKILL')
    const next = callerOf(await place.start())
    const { approvals } = await pendingOf(next, { session_id })
    // The limit of time begins anew with the next hub.
    const { expires_at = 0 } = approvals[0] ?? {}
    expect(approvals).toEqual(pending_approvals.map((one) => ({ ...one, expires_at })))
    expect(expires_at).toBeGreaterThanOrEqual(pending_approvals[0]?.expires_at ?? Infinity)
    await next('loopback.respond', { approval_id: pending_approvals[0]?.id, approve: true })
    expect(await pollToRest(next, { session_id })).toMatchObject({ status: 'complete' })
    expect(existsSync(join(place.project, 'made'))).toBe(true)
  })

  test('LOOPBACK-8: methods exposed via MCP', async () => {
    const { hub, place } = await loopbackHub([])
    const client = await httpClient('2025', hub)
    const names = (await client.tools()).map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'claudecode_create',
        'claudecode_chat',
        'claudecode_chat_async',
        'claudecode_poll',
        'loopback_respond',
        'loopback_pending',
        'loopback_wait',
        'loopback_configure',
      ]),
    )
    const made = await client.call('claudecode_create', { working_dir: place.project })
    expect(made).toMatchObject({ type: 'created' })
    expect(await client.call('loopback_pending')).toEqual({ type: 'ok', approvals: [] })
  })
})
