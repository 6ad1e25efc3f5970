import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { present } from '../../present.ts'
import type { Branch } from '../../tree/lineage.ts'
import { fields, selector, whole } from '../operation.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../plexus-operation.ts'
import { headOf, Position } from './view.ts'

const NodeView = z.looseObject({
  id: z.string(),
  parent: z.string().describe('The node before; the first one follows the root, which is the tree_id.'),
  session_id: z.string(),
  turn: z.number(),
  title: z.string().describe('What the turn began with, cut to a line.'),
  children: z.array(z.string()),
  fork_point: z.boolean().optional(),
  at: z.number().describe('Seconds since 1970.'),
})
type NodeView = z.infer<typeof NodeView>

export const tree = definePlexusOperation({
  name: 'claudecode.tree',
  title: 'Show the history of a session as a tree',
  description:
    'Shows the turns of a session and of its forks as nodes, oldest first; head is where the session goes on. claudecode.fork goes on from any of them.',
  input: fields({
    ...ONE_SESSION,
    node_id: selector('node_id', 'Only what comes after this node, with it.').optional(),
    depth: whole('depth', 0, 1_000, 'At most so many turns deep.').optional(),
    search: selector('search', 'Only nodes with this text in their title; case does not matter.').optional(),
  }),
  output: z.looseObject({
    type: z.literal('ok'),
    session_id: z.string(),
    tree_id: z.string(),
    head: Position,
    nodes: z.array(NodeView),
  }),
  hints: { readOnlyHint: true, idempotentHint: true },
  run: async (context, { node_id, depth = Infinity, search = '', ...named }) => {
    const { engine, who } = context
    const session = await engine.getSession(who, { sessionId: sessionNamed(named) })
    const head = await headOf(context, session)
    const roots = await engine.tree(who, { sessionId: session.id })
    const wanted = node_id === undefined || node_id === head.tree_id ? roots : [branchAt(roots, node_id)]
    const nodes = wanted
      .flatMap((branch) => nodesOf(branch, depth, head.tree_id))
      .filter(({ title }) => title.toLowerCase().includes(search.toLowerCase()))
    return { type: 'ok' as const, session_id: session.id, tree_id: head.tree_id, head, nodes }
  },
})

function nodesOf({ node, branches }: Branch, depth: number, treeId: string): NodeView[] {
  const { id, parentId, sessionId, turn, title, at } = node
  const children = branches.map((branch) => branch.node.id)
  const view: NodeView = {
    id,
    parent: parentId ?? treeId,
    session_id: sessionId,
    turn,
    title,
    children,
    at: Math.floor(at / 1_000),
    ...present({ fork_point: children.length > 1 ? true : undefined }),
  }
  return [view, ...(depth > 0 ? branches.flatMap((branch) => nodesOf(branch, depth - 1, treeId)) : [])]
}

function branchAt(branches: readonly Branch[], nodeId: string): Branch {
  const found = branches.flatMap(all).find(({ node }) => node.id === nodeId)
  if (found) return found
  throw new AppError('not_found', `There is no node ${nodeId} in this tree.`)
}

function all(branch: Branch): Branch[] {
  return [branch, ...branch.branches.flatMap(all)]
}
