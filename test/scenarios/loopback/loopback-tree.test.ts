import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { NodeView } from '../../../src/api/claudecode/tree-view.ts'
import { say } from '../../../src/demo/scenario.ts'
import { loopbackHub } from '../../rig/hubs/loopback-hub.ts'
import { startPipedCliIn } from '../../rig/cli/piped-cli.ts'

interface Tree {
  readonly type: string
  readonly tree_id: string
  readonly head: { tree_id: string; node_id: string }
  readonly nodes: readonly NodeView[]
}

const titles = ({ nodes }: Tree) => nodes.map(({ title }) => title)

test('a fork continues from a node; the tree is walked, searched and the same from every branch', async () => {
  const { call, create, chat, place } = await loopbackHub([say('one'), say('two'), say('three')])
  const session_id = await create({ name: 'trunk' })
  for (const prompt of ['plant it', 'water it']) await chat(session_id, prompt)
  const tree = (more = {}) => call<Tree>('claudecode.tree', { name: 'trunk', ...more })
  const before = await tree()
  const [first, second] = before.nodes
  expect(before).toMatchObject({ tree_id: session_id, head: { node_id: second?.id } })
  expect([first?.parent, second?.parent]).toEqual([session_id, first?.id])

  const forked = await call('claudecode.fork', { session_id, node_id: first?.id, name: 'branch' })
  const head = { tree_id: session_id, node_id: first?.id }
  expect(forked).toMatchObject({ type: 'created', head })
  place.sessions.add(String(forked['id']))
  const other = await chat('branch', 'cut it')
  expect(other).toMatchObject({ status: 'complete', turn: 1 })
  expect(other.events[0]?.event).toMatchObject({ type: 'start', user_position: { tree_id: session_id } })

  const after = await tree()
  expect(titles(after)).toEqual(['plant it', 'water it', 'cut it'])
  expect(after.nodes[0]).toMatchObject({ fork_point: true, children: [second?.id, after.nodes[2]?.id] })
  expect((await tree({ name: 'branch' })).nodes).toEqual(after.nodes)
  expect((await tree({ name: 'branch' })).head.node_id).toBe(after.nodes[2]?.id)
  expect(titles(await tree({ search: 'WATER' }))).toEqual(['water it'])
  expect(titles(await tree({ depth: 0 }))).toEqual(['plant it'])
  expect(titles(await tree({ node_id: second?.id }))).toEqual(['water it'])
})

test('what was said in a terminal is read before it comes here, and in front of what is said afterwards', async () => {
  const { call, chat, create, place } = await loopbackHub([say('one'), say('two'), say('three')])
  const session_id = randomUUID()
  const there = { home: place.folder, cwd: place.project }
  const cli = await startPipedCliIn(there, place.model.url, `--session-id=${session_id}`)
  for (const [at, prompt] of ['from a terminal', 'and again'].entries()) {
    cli.say(prompt)
    await cli.result(at + 1)
  }
  await cli.end()
  const tree = () => call<Tree>('claudecode.tree', { session_id })
  const outside = await tree()
  expect(titles(outside)).toEqual(['from a terminal', 'and again'])
  expect(outside.nodes).toMatchObject([{ outside: true, parent: session_id }, { outside: true }])

  expect(await create({ resume: session_id, working_dir: undefined })).toBe(session_id)
  expect(titles(await tree())).toEqual(['from a terminal', 'and again'])
  await chat(session_id, 'from here')
  const resumed = await tree()
  expect(titles(resumed)).toEqual(['from a terminal', 'and again', 'from here'])
  expect(resumed.nodes[2]).toMatchObject({ parent: resumed.nodes[1]?.id, turn: 1 })
  expect(resumed.head.node_id).toBe(resumed.nodes[2]?.id)
})
