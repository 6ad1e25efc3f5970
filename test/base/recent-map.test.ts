import { expect, test } from 'vitest'
import { RecentMap } from '../../src/base/recent-map.ts'

test('beyond its size the entry that was set longest ago is evicted', () => {
  const evicted: unknown[] = []
  const map = new RecentMap<string, number>(2, (value, key) => evicted.push([key, value]))
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
  expect(evicted).toEqual([['b', 2]])
})
