import { expect, test } from 'vitest'
import { nodeNamed, treeLines } from '../../../src/command-line/views/tree-views.ts'
import type { Branch } from '../../../src/tree/session-tree.ts'
import { aSession, NODE } from '../../contracts/rows.ts'

const node = (
  id: string,
  sessionId: string,
  turn: number,
  parentId?: string,
  branches: Branch[] = [],
): Branch => ({
  node: {
    ...NODE,
    id,
    sessionId: sessionId as never,
    turn,
    title: `turn of ${sessionId}`,
    ...(parentId ? { parentId } : {}),
  },
  branches,
})

/** `web` has three turns; `fork` continued from its first. */
const TREE = [
  node('aaaa1111', 'web', 1, undefined, [
    node('aaaa2222', 'web', 2, 'aaaa1111', [node('bbbb3333', 'web', 3, 'aaaa2222')]),
    node('cccc2222', 'fork', 1, 'aaaa1111'),
  ]),
]
const web = aSession({ id: 'web', name: 'web', headNode: 'bbbb3333' })
const fork = aSession({ id: 'fork', headNode: 'cccc2222' })

test('each turn is a line with what names it; a star marks where a session continues', () => {
  const [root] = TREE
  const names = new Map([web, fork].map((session) => [session.id as string, session]))
  expect(root && treeLines(root, names)).toEqual([
    '  aaaa1111  web turn 1  turn of web',
    '    aaaa2222  web turn 2  turn of web',
    '  * bbbb3333  web turn 3  turn of web',
    '  * cccc2222  fork turn 1  turn of fork',
  ])
})

test('a turn is named by its number or by the beginning of its id', () => {
  expect(nodeNamed('2', TREE, web)).toBe('aaaa2222')
  expect(nodeNamed('AAAA2', TREE, web)).toBe('aaaa2222')
  expect(nodeNamed('bbbb', TREE, web)).toBe('bbbb3333')
  // Its own first turn, and not that of the session that it came from.
  expect(nodeNamed('1', TREE, fork)).toBe('cccc2222')
  expect(() => nodeNamed('aaaa', TREE, web)).toThrow(
    'aaaa may be several turns; use more of the id that plexus tree prints.',
  )
  expect(() => nodeNamed('9', TREE, web)).toThrow('There is no turn 9 in its tree; plexus tree prints it.')
  expect(() => nodeNamed('aaa', TREE, web)).toThrow('There is no turn aaa')
})
