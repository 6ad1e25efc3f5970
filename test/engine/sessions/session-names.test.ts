import { expect, test } from 'vitest'
import { removedSession, sessionLabel } from '../../../src/engine/sessions/session-names.ts'
import { withPids } from '../../../src/engine/sessions/session-now.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession } from '../../contracts/rows.ts'

const removed = (session: string, name?: string) =>
  ({ kind: 'session-removed', at: 1, body: { session, ...(name ? { name } : {}) } }) as const

async function storeWith(...rows: ReturnType<typeof removed>[]) {
  const store = await openMemoryStore()
  await store.record.append(rows)
  return store
}

test('a session is known by its name, one that was removed by the last that it had', async () => {
  const store = await storeWith(removed('gone', 'first'), removed('gone', 'last'), removed('other'))
  await store.sessions.create(aSession({ id: 'here', name: 'web' }))
  await store.sessions.create(aSession({ id: 'nameless' }))
  const labels = ['here', 'nameless', 'gone', 'other', 'never'].map((id) => sessionLabel(store, id))
  expect(await Promise.all(labels)).toStrictEqual([
    { name: 'web' },
    {},
    { name: 'last', removed: true },
    { removed: true },
    { removed: true },
  ])
})

test('a removed session is found by its name or the beginning of its id, the latest of them', async () => {
  const store = await storeWith(
    removed('aaaa-1', 'web'),
    removed('aaaa-2', 'web'),
    removed('bbbb-1', 'api'),
    removed('cccc-1'),
  )
  await store.record.append([{ kind: 'session-removed', at: 1, body: { name: 'nobody' } }])
  const find = (name: string) => removedSession(store, name)
  expect(await Promise.all(['web', 'aaaa', 'aaaa-1', 'bbbb', 'api', 'cccc-1'].map(find))).toEqual([
    'aaaa-2',
    'aaaa-2',
    'aaaa-1',
    'bbbb-1',
    'bbbb-1',
    'cccc-1',
  ])
  expect(await Promise.all(['we', 'webs', '-1', 'nobody'].map(find))).toEqual(Array(4).fill(undefined))
})

test.each([499, 500, 501, 1_000, 1_001])(
  'it is found behind %i others, and looked for to the end',
  async (count) => {
    const others = Array.from({ length: count }, (_, n) => removed(`other-${n}`))
    const store = await storeWith(removed('first', 'web'), ...others)
    expect([await removedSession(store, 'web'), await removedSession(store, 'none')]).toEqual([
      'first',
      undefined,
    ])
  },
)

test('sessions have the pids of the processes that live now', async () => {
  const [web, api] = [aSession({ id: 'web' }), aSession({ id: 'api' })]
  const supervisor = { pids: async () => new Map([[web.id, 7]]) }
  expect(await withPids(supervisor, [web, api])).toStrictEqual([{ ...web, pid: 7 }, api])
})
