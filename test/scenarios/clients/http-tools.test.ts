import { expect, test } from 'vitest'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { httpClient } from '../../rig/clients/mcp-clients.ts'

test('over HTTP a client is offered the six, and by name the others; what a start takes can be read', async () => {
  const hub = await (await hubPlace()).start()
  for (const kind of ['sdk 1', '2026'] as const) {
    const client = await httpClient(kind, hub, undefined, { tools: '' })
    expect((await client.tools()).map(({ name }) => name)).toEqual(
      ['start', 'say', 'status', 'respond', 'interrupt', 'list'].map((name) => `claude_${name}`),
    )
    expect(await (await httpClient(kind, hub, undefined, { tools: 'all' })).tools()).toHaveLength(21)
    expect(await (await httpClient(kind, hub, undefined, { tools: 'plexus' })).tools()).toHaveLength(15)
    const uri = 'plexus://start-options'
    expect((await client.resources()).map((one) => one.uri)).toContain(uri)
    expect(JSON.parse(await client.read(uri))).toMatchObject({ maxTurns: { type: 'integer' } })
  }
  const answer = await fetch(`${hub.url}/mcp?tools=six`, {
    method: 'POST',
    headers: { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: {
      code: 'invalid_input',
      field: 'tools',
      message: expect.stringContaining('claude, plexus, all') as string,
    },
  })
})

const inFamily = (named: string) => expect.stringMatching(new RegExp(`^${named} must be`)) as string

test('a hub in the background puts no session into a folder that nobody named', async () => {
  const place = await hubPlace()
  const hub = await place.start('--exit-when-idle', '600')
  for (const working_dir of [undefined, 'project'])
    expect(await hub.call('claudecode.create', { working_dir })).toMatchObject({
      type: 'error',
      field: 'working_dir',
      message: inFamily('working_dir'),
    })
  const refused = { code: 'invalid_input', message: inFamily('workingDirectory') }
  await expect(hub.call('claude_start', { prompt: 'go' })).rejects.toMatchObject(refused)
  await expect(hub.call('createSession', {})).rejects.toMatchObject(refused)
  expect(await hub.call('claudecode.create', { working_dir: place.project })).toMatchObject({
    type: 'created',
  })
})
