import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PermitConfig } from '../../src/sessions/launch/outside-command.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { connected, startPipedCliIn } from '../rig/cli/piped-cli.ts'
import { allowAfter, hasRunOnce, waitingPlace } from './waiting.ts'

test('R17: a claude that somebody else has started waits 7 minutes for its answer', async () => {
  const place = await waitingPlace()
  const hub = await place.start()
  const { id } = await hub.call<Session>('createSession', { options: { carrier: 'mcp' }, timeoutMs: 0 })
  const { mcpConfig, args } = await hub.call<PermitConfig>('permitConfig', { sessionId: id })
  const file = join(place.folder, 'mcp.json')
  await writeFile(file, JSON.stringify(mcpConfig), { mode: 0o600 })
  const there = { home: place.folder, cwd: place.project }
  const cli = await startPipedCliIn(there, place.model.url, `--mcp-config=${file}`, ...args)
  await connected(cli)
  cli.say('go')
  await allowAfter(hub, 7)
  expect(await cli.result()).toMatchObject({ result: 'done' })
  await hasRunOnce(place)
})
