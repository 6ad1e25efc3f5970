/** A conversation that another Claude Code process has open: it cannot be gone on with, but a copy of it can. */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import { say } from '../../../src/demo/scenario.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { httpClient } from '../../rig/clients/mcp-clients.ts'
import { startPipedCliIn } from '../../rig/cli/piped-cli.ts'

vi.setConfig({ testTimeout: 90_000 })

test('a conversation that is open elsewhere is refused, and its fork continues from it, in both families', async () => {
  const place = await hubPlace({ scenario: { main: () => say('a reply') } })
  const conversation = randomUUID()
  const where = { home: place.folder, cwd: place.project }
  const cli = await startPipedCliIn(where, place.model.url, `--session-id=${conversation}`)
  cli.say('said elsewhere')
  await cli.result()
  const hub = await place.start()
  const client = await httpClient('2025', hub)
  const said = { sessionId: conversation, message: 'go on here', waitSeconds: 50 }
  // Its record of being open comes a moment behind its result.
  const refused = await eventually(async () => {
    const told = await client.call('claude_list', {})
    if (!JSON.stringify(told).includes('openElsewhere')) throw new Error('Not yet.')
    return client.call('claude_say', said).catch((error: unknown) => error)
  })
  expect(String(refused)).toContain('fork')

  const copy = await client.call<StatusView>('claude_say', { ...said, fork: true })
  place.sessions.add(copy.sessionId)
  expect(copy).toMatchObject({ status: 'done', result: 'a reply' })
  expect(copy.sessionId).not.toBe(conversation)
  const asked = place.model.requests.findLast(({ sessionId }) => sessionId === copy.sessionId)
  for (const text of ['said elsewhere', 'go on here']) expect(JSON.stringify(asked?.body)).toContain(text)

  // The refused attempt has made a session of it, which can be forked as well.
  const forked = await hub.call<{ id: string }>('claudecode.fork', {
    session_id: conversation,
    new_name: 'second',
  })
  place.sessions.add(forked.id)
  await hub.call('startTurn', { sessionId: 'second', content: 'and here' })
  await eventually(async () => {
    const { status } = await hub.call<Session>('getSession', { sessionId: 'second' })
    if (status !== 'done') throw new Error('It goes on.')
  })
  // The original knows nothing of it, and goes on.
  cli.say('still there')
  await cli.result(2)
  const original = place.model.requests.findLast(({ sessionId }) => sessionId === conversation)
  expect(JSON.stringify(original?.body)).not.toMatch(/go on here|and here/)
})
