import { randomUUID } from 'node:crypto'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Caller } from '../../src/callers/access-rules.ts'
import { type Conversation, listConversations } from '../../src/engine/conversations.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { aSession } from '../contracts/rows.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { indexOf, prompt, write } from '../transcripts/recorded.ts'
import { asCallerId } from '../rig/tools/ids.ts'

const person = (kind: Caller['kind'], scopes: string[] = []): Caller => ({
  id: asCallerId(kind),
  kind,
  name: kind,
  scopes,
  person: true,
})

test('our sessions and those of the CLI are listed in one order, each once, with any page size', async () => {
  const config = await temporaryFolder()
  const minutes = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 8 })
  let round = 0
  await fc.assert(
    fc.asyncProperty(minutes, minutes, fc.integer({ min: 1, max: 5 }), async (ours, theirs, limit) => {
      const folder = `${config}/${round++}`
      const store = await openMemoryStore()
      for (const minute of ours) {
        const id = randomUUID()
        await store.sessions.create(aSession({ id, updatedAt: 60_000 * minute }))
      }
      for (const minute of theirs) await write(folder, [prompt(`at ${minute}`)], { minute })
      const sources = { store, transcripts: indexOf(folder) }
      const all = await listConversations(sources, person('operator'), { limit: 100 })
      expect(all).toHaveLength(ours.length + theirs.length)
      expect(all.map(({ updatedAt }) => updatedAt)).toEqual(
        all.map(({ updatedAt }) => updatedAt).toSorted((a, b) => b - a),
      )
      const paged: Conversation[] = []
      for (;;) {
        const page = await listConversations(sources, person('operator'), { limit, before: paged.at(-1) })
        paged.push(...page)
        if (page.length < limit) break
      }
      expect(paged.map(({ sessionId }) => sessionId)).toEqual(all.map(({ sessionId }) => sessionId))
    }),
    { numRuns: 25 },
  )
})

test('a session of ours and its transcript are one conversation, with the title of the transcript', async () => {
  const config = await temporaryFolder()
  const store = await openMemoryStore()
  const path = await write(config, [prompt('what it is about')], { minute: 1 })
  const [known] = await indexOf(config).list({ limit: 1 })
  const id = known?.sessionId ?? path
  await store.sessions.create(aSession({ id, status: 'done' }))
  const found = await listConversations({ store, transcripts: indexOf(config) }, person('operator'), {})
  expect(found).toMatchObject([{ sessionId: id, title: 'what it is about', session: { status: 'done' } }])
})

test('a caller without the scope transcripts gets no conversations of others', async () => {
  const config = await temporaryFolder()
  await write(config, [prompt('private')], { minute: 1 })
  const store = await openMemoryStore()
  await store.sessions.create(aSession({ id: randomUUID(), owner: 'client' }))
  await store.sessions.create(aSession({ id: randomUUID(), owner: 'another' }))
  const sources = { store, transcripts: indexOf(config) }
  expect(await listConversations(sources, person('client'), {})).toMatchObject([
    { session: { owner: 'client' } },
  ])
  expect(await listConversations(sources, person('client', ['transcripts']), {})).toHaveLength(2)
  expect(await listConversations(sources, person('operator'), {})).toHaveLength(3)
})

test('conversations are found by every path to their folder, and by its own path when it is gone', async () => {
  const root = await temporaryFolder()
  await mkdir(join(root, 'real'))
  await symlink(join(root, 'real'), join(root, 'link'))
  const store = await openMemoryStore()
  for (const folder of ['real', 'gone'])
    await store.sessions.create(aSession({ id: folder, workingDirectory: join(root, folder) }))
  const foundIn = async (workingDirectory: string) =>
    (
      await listConversations({ store, transcripts: undefined }, person('operator'), { workingDirectory })
    ).map(({ sessionId }) => sessionId)
  for (const path of ['real', 'real/', 'link', './link/../real'])
    expect([path, ...(await foundIn(`${root}/${path}`))]).toEqual([path, 'real'])
  expect(await foundIn(`${root}/gone/`)).toEqual(['gone'])
  expect(await foundIn(root)).toEqual([])
})
