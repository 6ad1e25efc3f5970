import { expect, test } from 'vitest'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { Decision } from '../../../src/events/decision.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'

test('S34: 300 requests with tokens that nobody has are a few lines in the log', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const path = `/rpc/${'x'.repeat(5_000)}`
  for (let batch = 0; batch < 10; batch++) {
    const guesses = Array.from({ length: 30 }, (_, n) => `Bearer made-up-${batch}-${n}`)
    const answers = guesses.map((authorization) => fetch(`${hub.url}${path}`, { headers: { authorization } }))
    for (const { status } of await Promise.all(answers)) expect(status).toBe(401)
  }
  await hub.kill('SIGTERM')
  const lines = place.stderr.split('\n').filter((line) => line.includes('An unknown token was refused'))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('').length).toBeLessThan(20_000)
})

interface Configured {
  readonly session_id: string
  readonly mcp_config: { readonly mcpServers: { readonly plexus: { readonly env: Record<string, string> } } }
}

test('S37: questions that are too large together are denied, the rest stay, and so does the hub', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const configured = await Promise.all(
    [1, 2, 3].map(() => hub.call<Configured>('loopback.configure', { working_dir: place.project })),
  )
  const content = 'x'.repeat(15_000_000)
  const asked = configured.flatMap(({ mcp_config: { mcpServers } }) =>
    ['a', 'b'].map((name) =>
      hub.call<Decision>(
        'loopback.permit',
        { tool_name: 'Write', input: { file_path: name, content }, tool_use_id: `toolu_${name}` },
        { authorization: `Bearer ${mcpServers.plexus.env['PLEXUS_RELAY_TOKEN']}` },
      ),
    ),
  )
  const settled: Decision[] = []
  for (const one of asked) void one.then((decision) => settled.push(decision))
  const message = expect.stringMatching(/^Too much is asked about/) as string
  const denied = { behavior: 'deny', message }
  await eventually(() => expect(settled).toMatchObject([denied, denied]))
  const open = await hub.call<PendingQuestion[]>('pending', {})
  expect(open).toHaveLength(4)
  for (const { id } of open) await hub.call('answer', { approvalId: id, answers: ['deny'] })
  expect(await Promise.all(asked)).toHaveLength(6)
})
