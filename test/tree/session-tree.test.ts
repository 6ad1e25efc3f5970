import { expect, test } from 'vitest'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { branchesFrom, lineage, nodesOf } from '../../src/tree/session-tree.ts'
import { aSession, aStep, idsOf, NODE } from '../contracts/rows.ts'

const node = (id: string, parentId?: string) => ({ ...NODE, id, parentId })

/** A history of three turns with a fork after the first: 1 - 2 - 3, 1 - 4. */
async function aTree() {
  const store = await openMemoryStore()
  await store.sessions.create(aSession())
  const nodes = [node('1'), node('2', '1'), node('3', '2'), node('4', '1'), node('6', 'gone')]
  await store.journal.append(aStep(0, { nodes }))
  return { nodes: store.nodes, root: nodes[0] ?? NODE }
}

test('the path to a node begins at the root, or after what was removed', async () => {
  const { nodes } = await aTree()
  expect(idsOf(await lineage(nodes, '3'))).toEqual(['1', '2', '3'])
  expect(idsOf(await lineage(nodes, '4'))).toEqual(['1', '4'])
  expect(idsOf(await lineage(nodes, '6'))).toEqual(['6'])
  expect(await lineage(nodes, 'nobody')).toEqual([])
  expect(await lineage(nodes, undefined)).toEqual([])
})

const leaf = (id: string) => ({ node: expect.objectContaining({ id }) as object, branches: [] })

test('a node has its branches, as deep as was asked for', async () => {
  const { nodes, root } = await aTree()
  const first = { node: expect.objectContaining({ id: '2' }) as object, branches: [leaf('3')] }
  expect((await branchesFrom(nodes, root)).branches).toEqual([first, leaf('4')])
  expect((await branchesFrom(nodes, root, 1)).branches).toEqual([leaf('2'), leaf('4')])
  expect((await branchesFrom(nodes, root, 0)).branches).toEqual([])
})

test('a branch has all of its nodes, each once', async () => {
  const { nodes, root } = await aTree()
  expect(idsOf(nodesOf(await branchesFrom(nodes, root)))).toEqual(['1', '2', '3', '4'])
})
