/** What an answerer adds to a yes is read by the model that asked, behind the result of that very call. */
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { Answered } from '../../../src/approvals/approval.ts'
import { RELAY_TOKEN } from '../../../src/child/launch/mcp-servers.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { PermitConfig } from '../../../src/sessions/launch/outside-command.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace } from '../../rig/hubs/hub.ts'
import { aParent, planned } from '../../rig/clients/mcp-parent.ts'

const NOTE = 'Keep @/etc/hostname as it is,\nand /compact nothing.'
const BEHIND = `left a note for you: ${NOTE}`

const question = (hub: Hub, sessionId: string): Promise<PendingQuestion> =>
  eventually(async () => {
    const [pending] = await hub.call<PendingQuestion[]>('pending', { sessionId })
    if (!pending) throw new Error('Nothing is asked.')
    return pending
  })

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** What the model is sent behind the result of a call. */
const behindResult = (body: unknown) => JSON.stringify(body).split('tool_result').at(-1)

test('S44: a message with an allow reaches the model in the same turn, of a call that failed too, and nothing in it is looked up', async () => {
  const parent = await aParent([
    tools(use('Bash', { command: 'touch made' })),
    tools(use('Bash', { command: 'touch no/such/folder' })),
    say('done'),
  ])
  const { sessionId } = await parent.start('go', { waitSeconds: 0 })
  for (const message of [NOTE, 'The second.']) {
    const { id } = await parent.question(sessionId)
    await parent.respond(sessionId, id, ['allow'], { message })
  }
  expect(await parent.status(sessionId)).toMatchObject({ status: 'done', result: 'done' })
  const [, second, third] = parent.place.model.requests.filter(({ kind }) => kind === 'main')
  expect(behindResult(second?.body)).toContain(inJson(BEHIND))
  expect(behindResult(third?.body)).toContain('left a note for you: The second.')
  const { turn } = await parent.hub.call<Session>('getSession', { sessionId })
  expect(turn).toBe(1)
})

test('S44: so does one with an approved plan', async () => {
  const parent = await aParent([...planned('Make it.'), say('done')])
  const { sessionId } = await parent.start('go', { waitSeconds: 0, permissionMode: 'plan' })
  const { id } = await parent.question(sessionId)
  await parent.respond(sessionId, id, ['approve'], { message: NOTE })
  expect(await parent.status(sessionId)).toMatchObject({ status: 'done' })
  const last = parent.place.model.requests.findLast(({ kind }) => kind === 'main')
  expect(behindResult(last?.body)).toContain(inJson(BEHIND))
})

test('S44: a child that asks by calls, and a sub-agent, read it too, also where the hub is another by then', async () => {
  const scenario = {
    main: [tools(use('Agent', { description: 'd', prompt: 'AGENT-DO', subagent_type: 'general-purpose' }))],
    agents: { 'AGENT-DO': [tools(use('Bash', { command: 'mkfifo held; cat held' })), say('agent done')] },
  }
  const place = await hubPlace({ scenario })
  const hub = await place.start()
  const options = { workingDirectory: place.project, carrier: 'mcp' }
  const { id } = await hub.call<Session>('createSession', { options })
  place.sessions.add(id)
  await hub.call('startTurn', { sessionId: id, content: 'go' })
  const asked = await question(hub, id)
  expect(asked).toMatchObject({ carrier: 'mcp', toolName: 'Bash', agentId: expect.any(String) })
  const answered = await hub.call<Answered>('answer', { approvalId: asked.id, approve: true, message: NOTE })
  expect(answered).toMatchObject({ status: 'allowed', decision: { message: NOTE } })
  const held = join(place.project, 'held')
  await eventually(() => stat(held)) // it runs
  await hub.kill('SIGKILL')
  const next = await place.start()
  await writeFile(held, 'go on')
  const read = await place.model.request(
    ({ kind, toolResults }) => kind === 'agent' && toolResults.length > 0,
  )
  expect(behindResult(read.body)).toContain(inJson(BEHIND))
  await next.call('waitFor', { sessionIds: [id], seconds: 50 })
})

test('S44: a message that nobody would read is refused, and the question stays', async () => {
  const parent = await aParent([tools(use('Bash', { command: 'touch made' })), say('done')])
  const { sessionId } = await parent.start('go', { waitSeconds: 0 })
  const { id } = await parent.question(sessionId)
  const answer = (message: string) => parent.hub.call('answer', { approvalId: id, approve: true, message })
  await expect(answer('x'.repeat(8_001))).rejects.toThrow(/at most 8000 characters/)
  expect(await parent.question(sessionId)).toMatchObject({ id })
  // Of a process that somebody else has started we see no call, so nothing can be put behind one.
  const { hub } = parent
  const outside = await hub.call<Session>('createSession', { options: { carrier: 'mcp' } })
  const { mcpConfig } = await hub.call<PermitConfig>('permitConfig', { sessionId: outside.id })
  const { plexus } = mcpConfig.mcpServers as { plexus: { env: Record<string, string> } }
  const call = { tool_name: 'Bash', input: { command: 'x' }, tool_use_id: 'toolu_1' }
  const authorization = `Bearer ${plexus.env[RELAY_TOKEN]}`
  const told = hub.call('loopback.permit', call, { authorization })
  const { id: approvalId } = await question(hub, outside.id)
  const yes = { approvalId, approve: true }
  await expect(hub.call('answer', { ...yes, message: NOTE })).rejects.toThrow(/leave out message/)
  await hub.call('answer', yes)
  expect(await told).toMatchObject({ behavior: 'allow' })
})
