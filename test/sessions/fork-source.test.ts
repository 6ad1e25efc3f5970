import { describe, expect, test } from 'vitest'
import { forkOf, forkPoint, hasOnlyCliTurns, requireConversation } from '../../src/sessions/fork-source.ts'
import { StartOptions } from '../../src/child/launch/start-options.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { aSession, aStep, NODE } from '../contracts/rows.ts'
import { asCallerId } from '../rig/tools/ids.ts'
import type { TreeNode } from '../../src/tree/tree-node.ts'

const node = (id: string, parentId?: string): TreeNode => ({ ...NODE, id, ...(parentId ? { parentId } : {}) })

describe('a fork', () => {
  test('has the options of its source, and the limits that hold now', () => {
    const config = StartOptions.parse({ model: 'opus', budget: { usd: 1 } })
    const source = aSession({ config, budget: { usd: 5 }, timeoutMs: 7, answerers: 'person', parentId: 'p' })
    const fork = forkOf(source, { name: 'new', owner: asCallerId('ann') })
    expect(fork).toMatchObject({
      options: { model: 'opus', budget: { usd: 5 }, name: 'new' },
      owner: 'ann',
      parentId: 'p',
      timeoutMs: 7,
      answerers: 'person',
    })
    const old = aSession({
      config: { ...StartOptions.parse({}), maxBudgetUsd: 3 },
      budget: null,
    })
    expect(forkOf(old, { name: undefined, owner: asCallerId('ann') }).options).toMatchObject({
      budget: undefined,
      maxBudgetUsd: undefined,
    })
  })

  test('continues from a node of the history of its source, the last by default', async () => {
    const store = await openMemoryStore()
    await store.sessions.create(aSession())
    const nodes = [node('first'), node('second', 'first'), node('beside', 'first')]
    await store.journal.append(aStep(1, { nodes }))
    const source = aSession({ headNode: 'second' })
    const point = (id?: string, of = source) => forkPoint(store.nodes, of, id)
    expect(await Promise.all([point(), point('first'), point('second')])).toMatchObject([
      { id: 'second' },
      { id: 'first' },
      { id: 'second' },
    ])
    await expect(point('beside')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('beside') as string,
    })
    await expect(point('none')).rejects.toMatchObject({ code: 'not_found' })
    await expect(point(undefined, aSession())).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('a session that resumes a conversation and has no turn of ours yet has only turns of the CLI', () => {
  const resumed = { kind: 'resume', cliSessionId: 'c' } as Session['origin']
  expect(hasOnlyCliTurns(aSession({ origin: resumed }))).toBe(true)
  expect(hasOnlyCliTurns(aSession({ origin: resumed, headNode: 'n' }))).toBe(false)
  expect(hasOnlyCliTurns(aSession())).toBe(false)
})

const having = (path: string | undefined) => requireConversation({ transcriptOf: async () => path }, 'c1')

test('a conversation must be one that the CLI has', async () => {
  await having('/a.jsonl')
  await expect(having(undefined)).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('c1') as string,
  })
})
