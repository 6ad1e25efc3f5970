import { chmod, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tokenVerifier } from '../../../src/hub/tokens/caller-of-token.ts'
import { clientToken } from '../../../src/hub/tokens/client-tokens.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

const PROGRAM = { model: false }

async function place(scopes = {}) {
  const home = await temporaryFolder()
  const { callers } = await openMemoryStore()
  return { home, callers, identify: tokenVerifier(callers, home, () => scopes) }
}

test('a token is created once, readable by its user only, and its client has no scopes', async () => {
  const { home, identify } = await place()
  const token = await clientToken(home, 'editor')
  expect(await clientToken(home, 'editor')).toBe(token)
  expect(await clientToken(home, 'other')).not.toBe(token)
  expect((await stat(join(home, 'clients'))).mode & 0o777).toBe(0o700)
  const editor = { id: 'client editor', kind: 'client', name: 'editor', scopes: [], person: false }
  expect(await identify(token, PROGRAM)).toEqual(editor)
  expect(await identify(`${token}x`, PROGRAM)).toBeUndefined()
})

test('a client has the scopes that were given to its name, also with its next token; no other client has', async () => {
  const { home, identify } = await place({ editor: ['transcripts', 'bypass'], operator: ['bypass'] })
  const old = await clientToken(home, 'editor')
  expect(await identify(old, PROGRAM)).toMatchObject({ scopes: ['transcripts', 'bypass'] })
  expect(await identify(old, { model: true })).toMatchObject({ scopes: ['transcripts'] })
  expect(await identify(await clientToken(home, 'constructor'), PROGRAM)).toMatchObject({ scopes: [] })
  await rm(join(home, 'clients/editor.token'))
  const token = await clientToken(home, 'editor')
  expect(await identify(token, PROGRAM)).toMatchObject({
    id: 'client editor',
    scopes: ['transcripts', 'bypass'],
  })
  expect(await identify(old, PROGRAM)).toBeUndefined()
})

test('a revoked token stays revoked, and a token file that others could read is ignored', async () => {
  const { home, callers, identify } = await place()
  const token = await clientToken(home, 'editor')
  await identify(token, PROGRAM)
  const caller = await callers.byName('client', 'editor')
  if (caller) await callers.put({ ...caller, revokedAt: 1 })
  expect(await identify(token, PROGRAM)).toBeUndefined()
  const path = join(home, 'clients/open.token')
  const open = await clientToken(home, 'open')
  await chmod(path, 0o644)
  expect(await identify(open, PROGRAM)).toBeUndefined()
  expect((await readFile(path, 'utf8')).trim()).toBe(open)
})
