import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { clients, httpClient, stdioClient } from '../../rig/clients/mcp-clients.ts'

const TOUCH = { main: [tools(use('Bash', { command: 'touch made' })), say('It is made.')] }

const ways = ['HTTP', 'stdio', 'stdio, standalone'] as const

const all = clients.flatMap((kind) => ways.map((way) => ({ kind, way })))

describe.each(all.filter(({ kind, way }) => way !== 'stdio, standalone' || kind === '2026'))(
  'with a client of $kind over $way',
  ({ kind, way }) => {
    test('a session is started, asks, is answered and returns its result', async () => {
      const place = await hubPlace({ scenario: TOUCH })
      const client =
        way === 'HTTP'
          ? await httpClient(kind, await place.start())
          : await stdioClient(kind, place, ...(way === 'stdio' ? [] : ['--standalone']))
      expect(
        (await client.tools()).map(({ name }) => name).filter((name) => name.startsWith('claude_')),
      ).toEqual([
        'claude_start',
        'claude_say',
        'claude_status',
        'claude_respond',
        'claude_interrupt',
        'claude_list',
      ])
      const { sessionId, status } = await client.call<StatusView>('claude_start', {
        prompt: 'make it',
        workingDirectory: place.project,
      })
      place.sessions.add(sessionId)
      expect(status).toBe('active')
      const asked = await client.call<StatusView>('claude_status', { sessionId })
      expect(asked).toMatchObject({
        status: 'awaiting_input',
        pendingQuestion: { type: 'tool_approval', toolName: 'Bash', input: { command: 'touch made' } },
      })
      const id = asked.pendingQuestion?.id
      const told = await client.call('claude_respond', { sessionId, id, answers: ['allow'] })
      expect(told).toMatchObject({ status: 'active', decision: 'allowed', by: 'operator' })
      const listed = () => client.call<{ sessions: object[] }>('claude_list')
      await expect
        .poll(listed, { timeout: 20_000 })
        .toMatchObject({ sessions: [{ sessionId, isActive: false, activeStatus: 'done' }] })
      // It ended while nobody waited: whoever waits for any next is told, once.
      const result = {
        sessionId,
        status: 'done',
        result: 'It is made.',
        toolUseEvents: [{ toolName: 'Bash', status: 'completed' }],
      }
      expect(await client.call('claude_status')).toMatchObject({ status: 'done', sessions: [result] })
      expect(await client.call('claude_status')).toMatchObject({ status: 'done', sessions: [] })
      expect(await client.call('claude_status', { sessionId })).toMatchObject(result)
      expect(existsSync(join(place.project, 'made'))).toBe(true)
    })
  },
)

test('one call answers a question and returns what comes next', async () => {
  const steps = ['one', 'two'].map((name) => tools(use('Bash', { command: `touch ${name}` })))
  const place = await hubPlace({ scenario: { main: [...steps, say('Both are made.')] } })
  const client = await stdioClient('2025', place)
  const first = await client.call<StatusView>('claude_start', {
    prompt: 'make both',
    workingDirectory: place.project,
    waitSeconds: 50,
  })
  const { sessionId } = first
  place.sessions.add(sessionId)
  const allow = (view: StatusView) =>
    client.call<StatusView>('claude_respond', {
      sessionId,
      id: view.pendingQuestion?.id,
      answers: ['allow'],
      waitSeconds: 50,
    })
  const second = await allow(first)
  expect(second).toMatchObject({
    status: 'awaiting_input',
    id: first.pendingQuestion?.id,
    decision: 'allowed',
    pendingQuestion: { input: { command: 'touch two' } },
    toolUseEvents: [
      { toolName: 'Bash', status: 'completed' },
      { toolName: 'Bash', status: 'running' },
    ],
  })
  expect(await allow(second)).toMatchObject({ status: 'done', result: 'Both are made.' })
  expect(existsSync(join(place.project, 'two'))).toBe(true)
})
