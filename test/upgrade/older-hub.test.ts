import { expect, test } from 'vitest'
import { plexusAt } from '../rig/clients/plexus-command.ts'
import { hubPlace } from '../rig/hubs/hub.ts'
import { NEXT_VERSION, programPath } from '../rig/tools/build-programs.ts'

test('R28: a newer command that only reads uses the older hub, and one that changes something replaces it', async () => {
  const place = await hubPlace()
  const { pid } = await place.start()
  place.program = programPath('next/plexus')
  const plexus = plexusAt(place)
  expect(await plexus('ls')).toMatchObject({ exitCode: 0 })
  expect(await place.running()).toMatchObject({ pid })
  expect(await plexus('stop', 'nobody')).toMatchObject({ exitCode: 1 })
  expect(await place.running()).toMatchObject({ version: NEXT_VERSION })
})
