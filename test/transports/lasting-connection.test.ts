import { expect, test } from 'vitest'
import { EMPTY_CONNECTION, memoryConnectionStore } from '../../src/transports/lasting-connection.ts'

test('a store in memory keeps the last value of each key', async () => {
  const store = memoryConnectionStore()
  expect(store.get('a')).toBeUndefined()
  await store.put('a', EMPTY_CONNECTION)
  await store.put('a', { ...EMPTY_CONNECTION, ended: true })
  expect(store.get('a')).toEqual({ uris: [], sessions: [], ended: true })
  expect(store.get('b')).toBeUndefined()
})

test('a new connection has subscribed to nothing, follows nothing and is not ended', () => {
  expect(EMPTY_CONNECTION).toEqual({ uris: [], sessions: [], ended: false })
})
