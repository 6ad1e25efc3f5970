import { z } from 'zod'
import type { EarlierTurn } from '../../engine/earlier-turns.ts'
import { AppError } from '../../base/errors.ts'
import type { Branch } from '../../tree/lineage.ts'

export const NodeView = z.looseObject({
  id: z.string(),
  parent: z.string().describe('The node before; the first one follows the root, which is the tree_id.'),
  session_id: z.string(),
  title: z.string().describe('What the turn began with, cut to a line.'),
  children: z.array(z.string()),
  turn: z.number().optional(),
  at: z.number().optional().describe('Seconds since 1970.'),
  fork_point: z.boolean().optional(),
  outside: z
    .boolean()
    .optional()
    .describe('From before the conversation came here: to be read, not to be forked.'),
})
export type NodeView = z.infer<typeof NodeView>

/** Pure. All nodes, what comes after a node behind it; those from before we knew the conversation first. */
export function treeNodes(
  treeId: string,
  earlier: readonly EarlierTurn[],
  roots: readonly Branch[],
): NodeView[] {
  const outside = earlier.map(({ id, title }, at): NodeView => {
    const next = earlier[at + 1]
    const children = next ? [next.id] : roots.map(({ node }) => node.id)
    return { id, parent: earlier[at - 1]?.id ?? treeId, session_id: treeId, title, children, outside: true }
  })
  const before = earlier.at(-1)?.id ?? treeId
  return [...outside, ...roots.flatMap((root) => nodesOf(root, before))]
}

function nodesOf({ node, branches }: Branch, before: string): NodeView[] {
  const { id, parentId = before, sessionId, turn, title, at } = node
  const children = branches.map((branch) => branch.node.id)
  const view: NodeView = {
    id,
    parent: parentId,
    session_id: sessionId,
    title,
    children,
    turn,
    at: Math.floor(at / 1_000),
    ...(children.length > 1 ? { fork_point: true } : {}),
  }
  return [view, ...branches.flatMap((branch) => nodesOf(branch, before))]
}

/** Those from a node on (all, if none is named), so many turns deep. */
export function walked(nodes: readonly NodeView[], from: string | undefined, depth: number): NodeView[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const first = from === undefined ? nodes.find(({ parent }) => !byId.has(parent)) : byId.get(from)
  if (!first && from !== undefined)
    throw new AppError('not_found', `There is no node ${from} in this tree; look at all of it.`)
  const found: NodeView[] = []
  let level = first ? [first] : []
  for (let left = depth; level.length > 0 && left >= 0; left--) {
    found.push(...level)
    level = level.flatMap(({ children }) => children.flatMap((id) => byId.get(id) ?? []))
  }
  return found
}
